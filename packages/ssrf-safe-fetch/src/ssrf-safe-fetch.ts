import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { sendRequest } from '@rookery/handles'
import { bodyOf, ENCODINGS, readBody } from './body.ts'
import { FetchError } from './fetch-error.ts'
import { type MayConnect, mayConnectTo } from './public-address.rules.ts'

/** What is asked for. */
type FetchRequest = {
  url: string
  /** Content types that may come, as `text/html` or `image/*`; anything when left out. */
  accept?: readonly string[]
  /** Bytes of the answer, unpacked, at most: a megabyte unless said. */
  maxBytes?: number
  /** Ends the work earlier than its own deadline. */
  signal?: AbortSignal
  /** What is sent: then it is a POST, and a redirect is an answer like any other. */
  post?: { headers: Readonly<Record<string, string | number>>; body: Buffer }
  /** Whether an address may be asked, over what holds for all: the first, and each that a redirect leads to. */
  mayAsk?: (url: URL) => Promise<boolean>
  /** Headers of a GET by its address, asked for again at each redirect: signatures cover the address. */
  headersFor?: (url: URL) => Promise<Readonly<Record<string, string>>>
  /** How long everything together may take, in milliseconds: 5 seconds unless said. */
  milliseconds?: number
  /** Takes the bytes of an answer of success as they come; the answer then has none. */
  to?: (bytes: AsyncIterable<Buffer>) => Promise<void>
}

/** An answer, regardless of its status. */
export type Fetched = {
  /** Where it came from in the end. */
  url: string
  status: number
  /** As the header says it, with parameters. */
  contentType: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Fetches what a user named. @throws FetchError */
export type GuardedFetch = (request: FetchRequest) => Promise<Fetched>

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

type Deps = {
  /** Our own public address: its host is never fetched, and it identifies us in User-Agent. */
  baseUrl: string
  mayConnect?: MayConnect
  resolve?: Resolve
  /** Whether another port of our own host is another server, as on one machine in tests. */
  isOwnPortOnly?: boolean
}

const VERSION = '0.1.0'
const MEGABYTE = 1024 * 1024
const MAX_MILLISECONDS = 5000
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const LONGEST_URL = 4096

const resolveName: Resolve = (hostname) => lookup(hostname, { all: true })

/** The name or address of a URL's host, IPv6 without brackets. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/** @throws FetchError refused for what is no address of another web server */
const checkedUrl = (text: string, isOwn: (url: URL) => boolean): URL => {
  const refused = (why: string) => new FetchError('refused', why)
  if (text.length > LONGEST_URL || !URL.canParse(text)) throw refused('no address')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('neither http nor https')
  if (url.username || url.password) throw refused('an address with credentials')
  if (isOwn(url)) throw refused('our own host')
  return url
}

/** Settles with the promise, or fails as soon as the signal says so. */
const orAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

/**
 * Answers what was decided already, so that the socket connects to what was judged: a name that is looked up again may have another address
 * by then. Node asks only for names; digits in a URL are judged the same and dialled as they stand.
 */
const pinned =
  (addresses: { address: string; family: number }[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }

const accepts = (accept: readonly string[], contentType: string): boolean => {
  const essence = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return accept.some((type) => type === essence || (type.endsWith('/*') && essence.startsWith(type.slice(0, -1))))
}

/** Where an answer redirects to. @throws FetchError as `checkedUrl` */
const redirectOf = ({ statusCode = 0, headers }: IncomingMessage, url: URL, isOwn: (url: URL) => boolean): URL | undefined =>
  REDIRECTS.has(statusCode) && headers.location ? checkedUrl(URL.parse(headers.location, url)?.href ?? '', isOwn) : undefined

/** Reads an answer, or hands its bytes to who takes them. @throws FetchError for one of another type, or too large */
const readAnswer = async (answer: IncomingMessage, url: URL, request: FetchRequest): Promise<Fetched> => {
  const { accept, to, maxBytes = MEGABYTE } = request
  const { statusCode: status = 0, headers } = answer
  const contentType = headers['content-type'] ?? ''
  if (status < 300 && accept && !accepts(accept, contentType)) {
    throw new FetchError('type', `an answer of type ${contentType.slice(0, 80)}`)
  }
  const read = { url: url.href, status, contentType, headers }
  if (!to) return { ...read, body: await readBody(answer, maxBytes) }
  if (status < 200 || status >= 300) return { ...read, body: await readBody(answer, Math.min(maxBytes, MEGABYTE)) }
  await to(bodyOf(answer, maxBytes))
  return { ...read, body: Buffer.alloc(0) }
}

/**
 * Fetches addresses that users name, from hosts of the public internet only. Where a socket connects is judged at each of at most 3
 * redirects; everything together takes 5 seconds at most unless the request says otherwise. No proxy, no cookies, no connection kept.
 */
export const guardedFetch = ({
  baseUrl,
  mayConnect = mayConnectTo(),
  resolve = resolveName,
  isOwnPortOnly = false,
}: Deps): GuardedFetch => {
  const own = new URL(baseUrl)
  const isOwn = (url: URL) => hostOf(url).replace(/\.$/, '') === hostOf(own) && (!isOwnPortOnly || portOf(url) === portOf(own))
  const userAgent = `Rookery/${VERSION} (+${baseUrl})`

  const addressesOf = async (url: URL, signal: AbortSignal) => {
    const host = hostOf(url)
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await orAborted(resolve(host), signal)
    const allowed = found.filter(({ address }) => mayConnect({ address, port: portOf(url) }))
    if (allowed.length === 0) throw new FetchError(found.length > 0 ? 'refused' : 'unreachable', 'no address that may be asked')
    return allowed
  }

  const ask = async (url: URL, request: FetchRequest, signal: AbortSignal): Promise<Fetched | URL> => {
    const { post } = request
    if (request.mayAsk && !(await request.mayAsk(url))) throw new FetchError('refused', 'an address that may not be asked')
    const accepted = { Accept: (request.accept ?? ['*/*']).join(', '), 'Accept-Encoding': ENCODINGS }
    const headers = { 'User-Agent': userAgent, ...accepted, ...(post?.headers ?? (await request.headersFor?.(url))) }
    const lookup = pinned(await addressesOf(url, signal))
    const answer = await sendRequest(url, { agent: false, lookup, signal, headers, method: post ? 'POST' : 'GET' }, post?.body)
    try {
      return (post ? undefined : redirectOf(answer, url, isOwn)) ?? (await readAnswer(answer, url, request))
    } finally {
      answer.destroy()
    }
  }

  const follow = async (request: FetchRequest, signal: AbortSignal): Promise<Fetched> => {
    let url = checkedUrl(request.url, isOwn)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await ask(url, request, signal)
      if (!(answer instanceof URL)) return answer
      url = answer
    }
    throw new FetchError('redirects', `more than ${MAX_REDIRECTS} redirects`)
  }

  return async (request) => {
    const deadline = AbortSignal.timeout(request.milliseconds ?? MAX_MILLISECONDS)
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
    try {
      return await follow(request, signal)
    } catch (error) {
      if (error instanceof FetchError) throw error
      if (signal.aborted) throw new FetchError('slow', 'no whole answer in time', { cause: error })
      throw new FetchError('unreachable', 'no whole answer', { cause: error })
    }
  }
}

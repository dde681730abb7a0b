import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { sendRequest } from '@rookery/handles'
import { bodyOf, ENCODINGS, readBody } from './body.ts'
import { FetchError } from './fetch-error.ts'
import { type MayConnect, mayConnectTo } from './public-address.rules.ts'

/** A request to fetch. */
type FetchRequest = {
  url: string
  /** Accepted content types, as `text/html` or `image/*`; all by default. */
  accept?: readonly string[]
  /** Maximum bytes of the answer, decompressed: a megabyte by default. */
  maxBytes?: number
  /** Cancels the fetch before its deadline. */
  signal?: AbortSignal
  /** The body to send as a POST; redirects are then not followed. */
  post?: { headers: Readonly<Record<string, string | number>>; body: Buffer }
  /** A further check whether a URL may be fetched: the first, and each that a redirect leads to. */
  mayAsk?: (url: URL) => Promise<boolean>
  /** Headers of a GET by its URL, computed again at each redirect: signatures cover the URL. */
  headersFor?: (url: URL) => Promise<Readonly<Record<string, string>>>
  /** Deadline of the whole fetch, in milliseconds: 5 seconds by default. */
  milliseconds?: number
  /** Consumes the bytes of a successful answer as a stream; the result then has no body. */
  to?: (bytes: AsyncIterable<Buffer>) => Promise<void>
}

/** An answer, whatever its status. */
export type Fetched = {
  /** The URL after redirects. */
  url: string
  status: number
  /** The Content-Type header, with parameters. */
  contentType: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Fetches a URL that a user named. @throws FetchError */
export type GuardedFetch = (request: FetchRequest) => Promise<Fetched>

/** Resolves a name to its addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

type Deps = {
  /** Our own public URL: its host is never fetched, and it identifies us in User-Agent. */
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

/** Parses and checks a URL. @throws FetchError refused if it is not the URL of another web server */
const checkedUrl = (text: string, isOwn: (url: URL) => boolean): URL => {
  const refused = (why: string) => new FetchError('refused', why)
  if (text.length > LONGEST_URL || !URL.canParse(text)) throw refused('no address')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('neither http nor https')
  if (url.username || url.password) throw refused('an address with credentials')
  if (isOwn(url)) throw refused('our own host')
  return url
}

/** Resolves or rejects with the promise, or rejects as soon as the signal aborts. */
const orAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

/**
 * A lookup that returns the addresses already checked, so that the socket connects to one of them: resolving the name again may give
 * another address. Node calls it only for names; addresses in a URL are checked the same way and dialled directly.
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

/** The target of a redirect. @throws FetchError as `checkedUrl` */
const redirectOf = ({ statusCode = 0, headers }: IncomingMessage, url: URL, isOwn: (url: URL) => boolean): URL | undefined =>
  REDIRECTS.has(statusCode) && headers.location ? checkedUrl(URL.parse(headers.location, url)?.href ?? '', isOwn) : undefined

/** Reads an answer, or streams its bytes to the consumer. @throws FetchError for one of another type, or too large */
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
 * Fetches URLs that users name, from hosts of the public internet only. The address is checked at the connect, for each of at most 3
 * redirects; the deadline is 5 seconds for everything together unless the request has another. No proxy, no cookies, no keep-alive.
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

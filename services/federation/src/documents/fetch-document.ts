import type { Clock } from '@rookery/runtime'
import { FetchError, type Fetched, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import { DocumentError, type DocumentFault, type FetchDocument, type FetchedDocument, type JsonObject } from '../contract.ts'
import type { Keys } from '../keys/index.ts'
import type { MaySpeak } from '../policy/index.ts'
import { type SignatureKind, signCavage, signRfc9421 } from '../signatures/index.ts'
import { hostGates } from './host-gate.ts'
import { jsonObjectOf } from './json.rules.ts'

type Deps = {
  fetch: GuardedFetch
  keys: Pick<Keys, 'signerOf'>
  maySpeak: MaySpeak
  clock: Clock
  /** Whether documents must be https. */
  isHttpsOnly: boolean
}

const MAX_BYTES = 1024 * 1024
const MILLISECONDS = 10_000
const SIGN = { cavage: signCavage, rfc9421: signRfc9421 } as const
/** Maximum hosts whose kind of signature is remembered. */
const MAX_HOSTS = 10_000
const TYPES = ['application/activity+json', 'application/ld+json']
/** Maximum concurrent fetches that others may share. */
const MAX_JOINED = 1000

type Asking = { signedBy?: string | undefined; signal?: AbortSignal | undefined }

const FAULTS: Record<number, DocumentFault> = { 401: 'unauthorized', 403: 'forbidden', 404: 'missing', 410: 'gone', 429: 'busy' }

/** The fault that a response's status means; undefined for success. */
const faultOf = (status: number): DocumentFault | undefined => {
  if (status >= 200 && status < 300) return undefined
  return FAULTS[status] ?? (status >= 500 ? 'unreachable' : 'invalid')
}

/** @throws DocumentError invalid if the body is not an object, or too large a one */
export const objectOf = (body: Buffer): JsonObject => {
  const document = jsonObjectOf(body)
  if (!document) throw new DocumentError('invalid', 'a document that is no object')
  return document
}

/** Converts a failed fetch to a DocumentError. */
export const documentErrorOf = (error: unknown): unknown => {
  if (!(error instanceof FetchError)) return error
  // Thrown while the request for a hop was signed.
  if (error.cause instanceof DocumentError) return error.cause
  const fault = error.fault === 'slow' || error.fault === 'unreachable' ? 'unreachable' : error.fault === 'refused' ? 'refused' : 'invalid'
  return new DocumentError(fault, error.message, { cause: error })
}

const isLdActivity = ({ contentType }: Fetched): boolean => {
  const [essence = ''] = contentType.toLowerCase().split(';', 1)
  return (
    essence.trim() !== 'application/ld+json' ||
    contentType.includes('https://www.w3.org/ns/activitystreams') ||
    !contentType.includes('profile')
  )
}

/** Signs requests in the older way, and in the newer way for hosts that answer 401; the accepted way is remembered per host. */
const signedFetch = ({ fetch, keys, clock, isHttpsOnly, maySpeak }: Deps) => {
  const newer = new Set<string>()

  const checked = async (url: URL): Promise<void> => {
    if (isHttpsOnly && url.protocol !== 'https:') throw new DocumentError('refused', 'an address that is not https')
    if (!(await maySpeak(url.host))) throw new DocumentError('refused', 'a server that this one does not speak with')
  }

  const note = (host: string, kind: SignatureKind): void => {
    if (kind === 'cavage') newer.delete(host)
    else if (newer.size < MAX_HOSTS) newer.add(host)
  }

  return async ({ host, href: url }: URL, { signedBy = '', signal }: Asking): Promise<Fetched> => {
    /** Signs each hop, after a check: a redirect to a server that we do not federate with is refused before any request. */
    const signed = (kind: SignatureKind) => {
      const headersFor = async (hop: URL) => {
        await checked(hop)
        return SIGN[kind]({ method: 'GET', url: hop }, await keys.signerOf(signedBy), clock.now())
      }
      return fetch({ url, accept: TYPES, maxBytes: MAX_BYTES, milliseconds: MILLISECONDS, headersFor, ...(signal && { signal }) })
    }
    const [kind, other]: [SignatureKind, SignatureKind] = newer.has(host) ? ['rfc9421', 'cavage'] : ['cavage', 'rfc9421']
    const first = await signed(kind)
    const second = first.status === 401 ? await signed(other) : undefined
    if (!second || faultOf(second.status)) return first
    note(host, other)
    return second
  }
}

/**
 * Fetches documents of other servers as the contract defines it (`FetchDocument`). A fetch without a signal is shared with concurrent ones
 * of the same document and signer.
 */
export const createFetchDocument = (deps: Deps): FetchDocument => {
  const ask = signedFetch(deps)
  const within = hostGates()
  const joined = new Map<string, Promise<FetchedDocument>>()

  const read = async (text: string, asking: Asking): Promise<FetchedDocument> => {
    if (!URL.canParse(text)) throw new DocumentError('refused', 'no address')
    const target = new URL(text)
    target.hash = ''
    return within(target.host, async () => {
      const answer = await ask(target, asking).catch((error) => {
        throw documentErrorOf(error)
      })
      const fault = faultOf(answer.status)
      if (fault) throw new DocumentError(fault, `an answer with the status ${answer.status}`)
      if (!isLdActivity(answer)) throw new DocumentError('invalid', 'JSON-LD of another profile')
      return { url: answer.url, document: objectOf(answer.body) }
    })
  }

  return (url, { signedBy, signal } = {}) => {
    const key = `${signedBy ?? ''} ${url}`
    const known = joined.get(key)
    if (known) return known
    const fetched = read(url, { signedBy, signal })
    if (joined.size >= MAX_JOINED || signal) return fetched
    joined.set(key, fetched)
    const forget = () => joined.delete(key)
    fetched.then(forget, forget)
    return fetched
  }
}

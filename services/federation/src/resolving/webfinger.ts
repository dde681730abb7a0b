import type { Fetched, GuardedFetch } from '@rookery/ssrf-safe-fetch'
import { DocumentError } from '../contract.ts'
import { documentErrorOf, objectOf, orUndefined } from '../documents/index.ts'
import { type MaySpeak, mayFetch } from '../policy/index.ts'
import { type Finger, fingerOf, type Handle, handleOf, lrddOf } from './webfinger.rules.ts'

type Deps = { fetch: GuardedFetch; maySpeak: MaySpeak; isHttpsOnly: boolean; config: { allowsPrivate: boolean } }

/** A handle confirmed by its own domain, with the uri of its actor. */
export type Confirmed = { readonly handle: Handle; readonly actorUri: string }

const TYPES = ['application/jrd+json', 'application/json']
const XRD_TYPES = ['application/xrd+xml', 'application/xml', 'text/xml']
const MAX_BYTES = 256 * 1024
const MILLISECONDS = 10_000

const isSame = (one: Handle, other: Handle) => one.domain === other.domain && one.username.toLowerCase() === other.username.toLowerCase()

/** Looks up handles with WebFinger. */
export const createWebFinger = ({ fetch, maySpeak, isHttpsOnly, config }: Deps) => {
  /** Also checked for redirects: a domain may delegate to another server, but only to one that this server federates with. */
  const mayAsk = mayFetch({ maySpeak, isHttpsOnly })
  // Servers in tests have no certificates.
  const scheme = isHttpsOnly ? 'https' : 'http'

  /** Fetches a URL; undefined for 404 and 410. @throws DocumentError for any other failure */
  const read = async (url: string, accept: readonly string[]): Promise<Fetched | undefined> => {
    const answer = await fetch({ url, accept, maxBytes: MAX_BYTES, milliseconds: MILLISECONDS, mayAsk }).catch((error) => {
      throw documentErrorOf(error)
    })
    if (answer.status === 404 || answer.status === 410) return undefined
    if (answer.status >= 300)
      throw new DocumentError(answer.status >= 500 ? 'unreachable' : 'invalid', `an answer with the status ${answer.status}`)
    return answer
  }

  /** The answer at the URL that the domain's host-meta names: Pleroma and Akkoma on another domain redirect only host-meta. */
  const readElsewhere = async (domain: string, resource: string): Promise<Fetched | undefined> => {
    const hostMeta = await orUndefined(read(`${scheme}://${domain}/.well-known/host-meta`, XRD_TYPES))
    const address = hostMeta && lrddOf(hostMeta.body.toString(), resource)
    return address ? read(address, TYPES) : undefined
  }

  const ask = async ({ username, domain }: Handle): Promise<Finger | undefined> => {
    const resource = `acct:${username}@${domain}`
    const url = `${scheme}://${domain}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`
    const answer = (await read(url, TYPES)) ?? (await readElsewhere(domain, resource))
    return answer && fingerOf(objectOf(answer.body))
  }

  /**
   * Looks up a handle at its domain. If the answer has another handle, that one's domain must confirm it. Undefined if there is none.
   * @throws DocumentError if a request fails
   */
  return async (handle: Handle): Promise<Confirmed | undefined> => {
    const first = await ask(handle)
    const subject = first && handleOf(first.subject, config)
    if (!first || !subject) return undefined
    if (isSame(subject, handle)) return { handle: subject, actorUri: first.actorUri }
    const second = await ask(subject)
    const confirmed = second && handleOf(second.subject, config)
    const agree = confirmed && isSame(confirmed, subject) && second.actorUri === first.actorUri
    return agree ? { handle: subject, actorUri: first.actorUri } : undefined
  }
}

export type WebFinger = ReturnType<typeof createWebFinger>

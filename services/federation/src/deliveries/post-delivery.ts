import type { Database } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { FederationTables } from '../database/schema.ts'
import type { Followers } from '../followers/index.ts'
import { type Host, noteSigns } from '../hosts/index.ts'
import type { Keys, Signer } from '../keys/index.ts'
import { type SignatureKind, signCavage, signRfc9421 } from '../signatures/index.ts'
import type { Attempt } from './delivery.rules.ts'
import type { Waiting } from './delivery.store.ts'

export type PostDeps = {
  database: Database<FederationTables>
  fetch: GuardedFetch
  keys: Pick<Keys, 'signerOf'>
  followers: Pick<Followers, 'headerFor'>
  clock: Clock
  /** Whether inboxes must be https. */
  isHttpsOnly: boolean
}

/** The result of an attempt, and the Retry-After of the host (RFC 9110, 10.2.3). */
export type Answered = { attempt: Attempt; retryAfter: string | undefined }

const MILLISECONDS = 10_000
const SIGN = { cavage: signCavage, rfc9421: signRfc9421 } as const

const withoutAnswer = (error: unknown): Answered => {
  if (!(error instanceof FetchError)) throw error
  const fault = error.mayPass ? 'unreachable' : error.fault === 'refused' ? 'refused' : 'invalid'
  return { attempt: { fault }, retryAfter: undefined }
}

/** The header about the sender's followers on the host, for followers-only activities (FEP-8fcf). */
const synchronisation = async ({ followers }: PostDeps, delivery: Waiting, { keyId }: Signer, host: string) => {
  if (!delivery.isForFollowers) return {}
  const actor = keyId.split('#', 1)[0]!
  return { 'Collection-Synchronization': await followers.headerFor({ accountId: delivery.senderId, actor }, host) }
}

const postSigned = async (deps: PostDeps, delivery: Waiting, kind: SignatureKind): Promise<Answered> => {
  const url = new URL(delivery.inbox)
  if (deps.isHttpsOnly && url.protocol !== 'https:') return { attempt: { fault: 'refused' }, retryAfter: undefined }
  const signer = await deps.keys.signerOf(delivery.senderId === '0' ? '' : delivery.senderId)
  const more = await synchronisation(deps, delivery, signer, url.host)
  const { Host: _, ...signed } = SIGN[kind]({ method: 'POST', url, body: delivery.payload, more }, signer, deps.clock.now())
  const headers = { ...signed, Host: url.host, 'Content-Length': delivery.payload.length }
  return deps
    .fetch({ url: url.href, milliseconds: MILLISECONDS, post: { headers, body: delivery.payload } })
    .then(({ status, headers }) => ({ attempt: { status }, retryAfter: headers['retry-after'] }), withoutAnswer)
}

const OTHER = { cavage: 'rfc9421', rfc9421: 'cavage' } as const

const statusOf = ({ attempt }: Answered): number => ('status' in attempt ? attempt.status : 0)

/**
 * Whether a status may be about the kind of signature. 403 is also the answer to blocked senders, so it counts only for the newer kind:
 * every server knows the older one.
 */
const isOfKind = (status: number, kind: SignatureKind): boolean => status === 401 || (status === 403 && kind === 'rfc9421')

/**
 * Posts a delivery with the kind of signature that its host is known to verify. If the host refuses that, the other kind is tried, and
 * remembered if accepted.
 */
export const postDelivery =
  (deps: PostDeps) =>
  async (delivery: Waiting, host: Host): Promise<Answered> => {
    try {
      const answered = await postSigned(deps, delivery, host.signs)
      if (!isOfKind(statusOf(answered), host.signs)) return answered
      const other = OTHER[host.signs]
      const again = await postSigned(deps, delivery, other)
      const isTaken = statusOf(again) >= 200 && statusOf(again) < 300
      if (other === 'rfc9421' && !isTaken) return answered
      await noteSigns(deps.database.db, host.domain, other)
      host.signs = other
      return again
    } catch (error) {
      // A closed account that never had a key cannot sign.
      if (error instanceof Failure && error.kind === 'not_found') return { attempt: { fault: 'invalid' }, retryAfter: undefined }
      throw error
    }
  }

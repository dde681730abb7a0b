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
  /** Whether inboxes are over https only. */
  isHttpsOnly: boolean
}

/** How a try ended, and when the host asks to be tried again (RFC 9110, 10.2.3). */
export type Answered = { attempt: Attempt; retryAfter: string | undefined }

const MILLISECONDS = 10_000
const SIGN = { cavage: signCavage, rfc9421: signRfc9421 } as const

const withoutAnswer = (error: unknown): Answered => {
  if (!(error instanceof FetchError)) throw error
  const fault = error.mayPass ? 'unreachable' : error.fault === 'refused' ? 'refused' : 'invalid'
  return { attempt: { fault }, retryAfter: undefined }
}

/** Who of the host follows the sender, for what is for followers alone (FEP-8fcf). */
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

/** Whether an answer may be to the kind of the signature: 403 is said to who is blocked, too, and the older kind is what all know. */
const isOfKind = (status: number, kind: SignatureKind): boolean => status === 401 || (status === 403 && kind === 'rfc9421')

/** Posts a delivery signed as its host is known to verify; a host that refuses one kind gets the other, from then on where it takes that. */
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
      // A sender who is closed and never had a key has nothing to say.
      if (error instanceof Failure && error.kind === 'not_found') return { attempt: { fault: 'invalid' }, retryAfter: undefined }
      throw error
    }
  }

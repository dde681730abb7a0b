import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { FederationTables } from '../database/schema.ts'
import type { Followers } from '../followers/index.ts'
import { claimHost, type Host, holdHost, noteFailure, noteSigns, noteTaken, readHost } from '../hosts/index.ts'
import type { Keys, Signer } from '../keys/index.ts'
import { LEASE, withLease } from '../lease.ts'
import { type MaySpeak, nameOfHost } from '../policy/index.ts'
import { type SignatureKind, signCavage, signRfc9421 } from '../signatures/index.ts'
import { keyOfHost, SEND_DELIVERIES } from './deliver.ts'
import type { DeliveryCounts } from './delivery.metrics.ts'
import { type Attempt, LIFETIME, nextTryAt, outcomeOf } from './delivery.rules.ts'
import { countAttempt, endDelivery, endInbox, endWaiting, hasWaiting, readWaiting, type Waiting } from './delivery.store.ts'

type Deps = {
  database: Database<FederationTables>
  fetch: GuardedFetch
  keys: Pick<Keys, 'signerOf'>
  followers: Pick<Followers, 'headerFor'>
  maySpeak: MaySpeak
  counts: DeliveryCounts
  clock: Clock
  log: Logger
  /** Whether inboxes are over https only. */
  isHttpsOnly: boolean
}

const MILLISECONDS = 10_000
/** How long a job goes on with one host before others have their turn, in milliseconds. */
const MAX_RUN = 60_000
const SIGN = { cavage: signCavage, rfc9421: signRfc9421 } as const

type Answered = { attempt: Attempt; retryAfter: string | undefined }

const withoutAnswer = (error: unknown): Answered => {
  if (!(error instanceof FetchError)) throw error
  const fault = error.mayPass ? 'unreachable' : error.fault === 'refused' ? 'refused' : 'invalid'
  return { attempt: { fault }, retryAfter: undefined }
}

/**
 * Sends what waits for one host, in order, one after the other. A host that fails is asked again later and later, and what waits for it with
 * it; after two days it is given up. One job at a time has a host; when its process is killed, the next one goes on after its lease: the
 * delivery under way is then made again.
 */
export const sendDeliveries = (deps: Deps): Job => {
  const { database, keys, clock, counts } = deps
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)

  /** Who of the host follows the sender, for what is for followers alone (FEP-8fcf). */
  const synchronisation = async (
    { isForFollowers, senderId }: Waiting,
    { keyId }: Signer,
    host: string,
  ): Promise<Record<string, string>> =>
    isForFollowers
      ? { 'Collection-Synchronization': await deps.followers.headerFor({ accountId: senderId, actor: keyId.split('#', 1)[0]! }, host) }
      : {}

  const post = async (delivery: Waiting, kind: SignatureKind): Promise<Answered> => {
    const url = new URL(delivery.inbox)
    if (deps.isHttpsOnly && url.protocol !== 'https:') return { attempt: { fault: 'refused' }, retryAfter: undefined }
    const signer = await keys.signerOf(delivery.senderId === '0' ? '' : delivery.senderId)
    const more = await synchronisation(delivery, signer, url.host)
    const headers = SIGN[kind]({ method: 'POST', url, body: delivery.payload, more }, signer, clock.now())
    const { Host: _, ...sent } = headers
    const request = {
      url: url.href,
      milliseconds: MILLISECONDS,
      post: { headers: { ...sent, Host: url.host, 'Content-Length': delivery.payload.length }, body: delivery.payload },
    }
    return deps.fetch(request).then(({ status, headers }) => ({ attempt: { status }, retryAfter: headers['retry-after'] }), withoutAnswer)
  }

  /** Signs as the host is known to verify; one that refuses the newer kind gets the older. */
  const send = async (delivery: Waiting, host: Host): Promise<Answered> => {
    const answered = await post(delivery, host.signs)
    const isRefused = 'status' in answered.attempt && (answered.attempt.status === 401 || answered.attempt.status === 403)
    if (!isRefused || host.signs === 'cavage') return answered
    await noteSigns(database.db, host.domain, 'cavage')
    host.signs = 'cavage'
    return post(delivery, 'cavage')
  }

  /** A sender who is closed and never had a key has nothing to say. */
  const sendOrDrop = (delivery: Waiting, host: Host): Promise<Answered> =>
    send(delivery, host).catch((error) => {
      if (error instanceof Failure && error.kind === 'not_found') return { attempt: { fault: 'invalid' as const }, retryAfter: undefined }
      throw error
    })

  const sendLater = (domain: string, runAt: Date) =>
    transact(database.db, (tx) => addJob(tx, 'federation', SEND_DELIVERIES, { domain }, { runAt, key: keyOfHost(domain) }))

  const putOff = async (delivery: Waiting, host: Host, retryAfter: string | undefined): Promise<void> => {
    const now = clock.now()
    const at = new Date(nextTryAt({ now, failures: host.failures, retryAfter, random: Math.random() }))
    await countAttempt(database, { id: delivery.id })
    await noteFailure(database, { domain: host.domain, now: new Date(now), nextTryAt: at })
    const given = { domain: host.domain, before: new Date(now - LIFETIME), result: 'expired' as const, now: new Date(now) }
    counts.expired += (await endWaiting(database, given)).length
    await sendLater(host.domain, at)
  }

  /** Whether the host is to be asked for more. */
  const deliverOne = async (delivery: Waiting, host: Host): Promise<boolean> => {
    const { attempt, retryAfter } = await sendOrDrop(delivery, host)
    const outcome = outcomeOf(attempt, delivery.attempts)
    counts[outcome]++
    if (outcome === 'later') {
      await putOff(delivery, host, retryAfter)
      return false
    }
    const now = date(0)
    await endDelivery(database, { id: delivery.id, result: outcome, now })
    if (outcome === 'gone') await endInbox(database, { inbox: delivery.inbox, domain: host.domain, now })
    if (outcome === 'delivered') await noteTaken(database, { domain: host.domain, name: nameOfHost(host.domain), now })
    if (outcome === 'delivered') host.failures = 0
    return true
  }

  /** Sends until nothing waits, the host fails, or others are to have their turn. Answers whether the host may be asked for more. */
  const sendAll = async (host: Host, signal: AbortSignal): Promise<boolean> => {
    const end = performance.now() + MAX_RUN
    for (;;) {
      const batch = await readWaiting(database, { domain: host.domain })
      for (const delivery of batch) {
        if (signal.aborted || performance.now() > end) return true
        if (!(await deliverOne(delivery, host))) return false
      }
      if (batch.length === 0) return true
    }
  }

  const runClaimed = async (host: Host, signal: AbortSignal): Promise<boolean> => {
    const { domain, nextTryAt: next } = host
    if (!(await deps.maySpeak(domain))) {
      counts.blocked += (await endWaiting(database, { domain, before: date(0), result: 'blocked', now: date(0) })).length
      return false
    }
    if (next && next.getTime() > clock.now()) {
      await sendLater(domain, next)
      return false
    }
    return sendAll(host, signal)
  }

  return job<{ domain: string }>({
    name: SEND_DELIVERIES,
    lane: 'deliveries',
    async run({ domain }, signal) {
      const [host] = await claimHost(database, { domain, now: date(0), until: date(LEASE) })
      if (!host) {
        const [other] = await readHost(database, { domain })
        return sendLater(domain, other?.sendingUntil ?? date(LEASE))
      }
      const hold = (until: Date | null) => holdHost(database, { domain, until })
      const mayGoOn = await withLease({ clock, hold, signal }, (signal) => runClaimed(host, signal))
      // What was written while this job looked its last found the host taken.
      if (mayGoOn && (await hasWaiting(database, { domain })).length > 0) await sendLater(domain, date(0))
    },
  })
}

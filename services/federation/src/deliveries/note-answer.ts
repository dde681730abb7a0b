import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { type Host, noteFailure, noteTaken } from '../hosts/index.ts'
import { nameOfHost } from '../policy/index.ts'
import { keyOfHost, SEND_DELIVERIES } from './deliver.ts'
import type { DeliveryCounts } from './delivery.metrics.ts'
import { LIFETIME, nextTryAt, outcomeOf } from './delivery.rules.ts'
import { countAttempt, endDelivery, endInbox, endWaiting, type Waiting } from './delivery.store.ts'
import type { Answered } from './post-delivery.ts'

export type NoteDeps = { database: Database<FederationTables>; counts: DeliveryCounts; clock: Clock }

/** Schedules the pending deliveries of a host. */
export const sendLater = ({ database }: Pick<NoteDeps, 'database'>, domain: string, runAt: Date): Promise<void> =>
  transact(database.db, (tx) => addJob(tx, 'federation', SEND_DELIVERIES, { domain }, { runAt, key: keyOfHost(domain) }))

/** Postpones the next attempt at a host with backoff, and expires deliveries that are too old. */
const putOff = async (deps: NoteDeps, delivery: Waiting, host: Host, retryAfter: string | undefined): Promise<void> => {
  const { database, counts, clock } = deps
  const now = clock.now()
  const at = new Date(nextTryAt({ now, failures: host.failures, retryAfter, random: Math.random() }))
  await countAttempt(database, { id: delivery.id })
  await noteFailure(database, { domain: host.domain, now: new Date(now), nextTryAt: at })
  const given = { domain: host.domain, before: new Date(now - LIFETIME), result: 'expired' as const, now: new Date(now) }
  counts.expired += (await endWaiting(database, given)).length
  await sendLater(deps, host.domain, at)
}

/** Records the outcome of a delivery, also for its host. Returns whether to go on with the host. */
export const noteAnswer =
  (deps: NoteDeps) =>
  async (delivery: Waiting, host: Host, { attempt, retryAfter }: Answered): Promise<boolean> => {
    const { database, counts, clock } = deps
    const outcome = outcomeOf(attempt, delivery.attempts)
    counts[outcome]++
    if (outcome === 'later') {
      await putOff(deps, delivery, host, retryAfter)
      return false
    }
    const now = new Date(clock.now())
    await endDelivery(database, { id: delivery.id, result: outcome, now })
    if (outcome === 'gone') await endInbox(database, { inbox: delivery.inbox, domain: host.domain, now })
    if (outcome === 'delivered') {
      await noteTaken(database, { domain: host.domain, name: nameOfHost(host.domain), now })
      host.failures = 0
    }
    return true
  }

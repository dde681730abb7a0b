import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../database/schema.ts'
import { setTime } from './schedule-job.ts'
import { scheduleCancelled } from './scheduled.events.ts'
import { ScheduledWriter } from './scheduled.store.ts'

type Given = { database: Database<StatusesTables>; outbox: Outbox }

/** Somebody's scheduled status; with a version, only while it is as it was read. */
type Cancelled = { id: string; accountId: string; version?: number }

/** Takes a scheduled status out for good and lets its files go; false when it was not there, or not as it was read. */
export const dropScheduled =
  ({ database, outbox }: Given) =>
  (one: Cancelled, trace: string): Promise<boolean> =>
    transact(database.db, async (tx) => {
      const removed = await new ScheduledWriter(tx).remove(one)
      if (!removed) return false
      await setTime(tx, one.id, null)
      if (removed.attachments.length > 0) await outbox.append(tx, [scheduleCancelled(one)], trace)
      return true
    })

/** Cancels a scheduled status (spec, DELETE /api/v1/scheduled_statuses/:id). @throws Failure not_found when it is another's or gone */
export const cancelScheduled = (given: Given) => {
  const drop = dropScheduled(given)
  return async (call: Call, { id, viewerId }: { id: string; viewerId: string }): Promise<void> => {
    const isGone = await drop({ id, accountId: viewerId }, call.trace)
    if (!isGone) throw notFound(`scheduled status ${id} is not ${viewerId}'s`)
  }
}

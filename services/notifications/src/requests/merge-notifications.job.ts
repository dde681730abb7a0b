import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { NotificationsTables } from '../database/schema.ts'
import { finishMerging } from '../policy/index.ts'
import { mergeSome } from './merge.store.ts'
import { notificationsMerged } from './request.events.ts'

/** The job that shows the filtered notifications of accepted accounts. */
export const MERGE_NOTIFICATIONS = 'merge-notifications'

/** The payload of the job. */
export type MergeDue = { recipientId: string }

/** Rows per statement. */
const CHUNK = 1000

/**
 * Shows the filtered notifications of accounts that the recipient accepted, in batches with a transaction each; then publishes that once to
 * the recipient's streams.
 */
export const mergeNotifications = ({ database, outbox }: { database: Database<NotificationsTables>; outbox: Outbox }): Job =>
  job<MergeDue>({
    name: MERGE_NOTIFICATIONS,
    async run({ recipientId }, signal) {
      let merged: number
      do {
        signal?.throwIfAborted()
        merged = await transact(database.db, (tx) => mergeSome(tx, recipientId, CHUNK))
      } while (merged === CHUNK)
      await transact(database.db, async (tx) => {
        if (await finishMerging(tx, recipientId)) await outbox.append(tx, [notificationsMerged(recipientId)])
      })
    },
  })

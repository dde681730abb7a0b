import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { NotificationsTables } from '../database/schema.ts'
import { finishMerging } from '../policy/index.ts'
import { mergeSome } from './merge.store.ts'
import { notificationsMerged } from './request.events.ts'

/** The job that has appear what was held back of accepted accounts. */
export const MERGE_NOTIFICATIONS = 'merge-notifications'

/** For whom. */
export type MergeDue = { recipientId: string }

/** Rows that one statement changes. */
const CHUNK = 1000

/**
 * Has everything appear that is held back of accounts which the recipient accepted, by chunks of a transaction each; then says so once to the
 * recipient's streams.
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

import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: which activities failed for the last time, the oldest first?
  await createIndexConcurrently(db, { name: 'received_activity_failed', on: 'received_activity (sequence) where failed_at is not null' })
}

import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: how many reports were filed, and how many resolved, on each day?
  await createIndexConcurrently(db, { name: 'report_created', on: 'report (created_at)' })
  await createIndexConcurrently(db, { name: 'report_resolved', on: 'report (action_taken_at) where action_taken_at is not null' })
}

import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: of which reports that were resolved long ago are there copies?
  await createIndexConcurrently(db, { name: 'report_with_copies', on: 'report (action_taken_at) where has_copies' })
}

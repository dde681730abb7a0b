import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: which statuses do the latest reports on this account name?
  await createIndexConcurrently(db, { name: 'report_target_latest', on: 'report (target_id, id desc)' })
}

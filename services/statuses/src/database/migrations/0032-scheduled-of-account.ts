import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Answers: what has this person scheduled, or drafted, or both, newest first? */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(db, { name: 'scheduled_status_of_account', on: 'scheduled_status (account_id, id desc)' })

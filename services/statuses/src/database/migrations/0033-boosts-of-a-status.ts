import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Answers: who boosted this status, latest first? */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(db, { name: 'status_head_boosts', on: 'status_head (reblog_of_id, id desc) where reblog_of_id is not null' })

import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: is there a scheduled answer to this status, or a draft of one?
  await createIndexConcurrently(db, {
    name: 'scheduled_status_in_reply_to',
    on: 'scheduled_status (in_reply_to_id) where in_reply_to_id is not null',
  })
  // Answers: is there a scheduled quote of this status, or a draft of one?
  await createIndexConcurrently(db, { name: 'scheduled_status_quoted', on: 'scheduled_status (quoted_id) where quoted_id is not null' })
}

import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: does anyone elsewhere follow this person?
  await createIndexConcurrently(db, { name: 'act_follow_subject', on: "act (subject_id) where kind = 'follow'" })
  // Answers: of whom only the key is known, and since when?
  await createIndexConcurrently(db, { name: 'remote_actor_without_account', on: 'remote_actor (fetched_at) where account_id is null' })
}

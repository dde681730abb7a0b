import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: who of this server follows this person, in order of followers for fan-out? However many follow them elsewhere.
  await createIndexConcurrently(db, { name: 'follow_local', on: 'follow (target_id, account_id) where is_local' })
  // Answers: who of other servers follows this person, in order of followers for deliveries?
  await createIndexConcurrently(db, { name: 'follow_remote', on: 'follow (target_id, account_id) where not is_local' })
}

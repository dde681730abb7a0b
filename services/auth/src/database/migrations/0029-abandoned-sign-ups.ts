import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Sign-ups that no one confirms. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: who signed up long ago and never confirmed their address?
  await createIndexConcurrently(db, {
    name: 'login_unconfirmed',
    on: 'login (created_at) where confirmed_at is null and closing_at is null',
  })
  // Answers: has this person a link that is still good?
  await createIndexConcurrently(db, { name: 'confirmation_token_account', on: 'confirmation_token (account_id)' })
}

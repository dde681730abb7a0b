import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Each answers for staff, latest first: who waits for approval, whose login is disabled, whose address begins or lies like this, who has a role? */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await createIndexConcurrently(db, { name: 'login_pending', on: 'login (account_id) where approved_at is null' })
  await createIndexConcurrently(db, { name: 'login_disabled', on: 'login (account_id) where disabled_at is not null' })
  await createIndexConcurrently(db, { name: 'login_staff', on: `login (account_id) where role <> 'user'` })
  await createIndexConcurrently(db, { name: 'login_email_beginning', on: 'login (lower(email) text_pattern_ops)' })
  await createIndexConcurrently(db, {
    name: 'login_sign_up_address',
    on: `login using gist ((nullif(sign_up_address, '')::inet) inet_ops)`,
  })
}

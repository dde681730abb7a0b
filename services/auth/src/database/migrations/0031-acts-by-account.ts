import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Acts of staff as the person they are about sees them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: what was done to this account that it may appeal, latest first?
  await createIndexConcurrently(db, {
    name: 'staff_act_strike',
    on: `staff_act (account_id, id) where action in ('none', 'delete_statuses', 'mark_statuses_as_sensitive', 'sensitive', 'disable', 'silence', 'suspend')`,
  })
  // Answers: was this done to the account once more, or taken back, since then?
  await createIndexConcurrently(db, { name: 'staff_act_account', on: 'staff_act (account_id, action, id)' })
}

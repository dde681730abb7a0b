import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/**
 * Each of the reports' answers: which reports, about which something was done or nothing was, of everyone, by someone or about someone,
 * latest first? Those of accounts: whose media are all marked as sensitive, whose handle or name begins like this?
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const [open, closed] = ['where action_taken_at is null', 'where action_taken_at is not null']
  await createIndexConcurrently(db, { name: 'account_sensitized', on: 'account (id) where is_sensitized' })
  await createIndexConcurrently(db, { name: 'account_username_beginning', on: 'account (lower(username) text_pattern_ops)' })
  await createIndexConcurrently(db, { name: 'account_name_beginning', on: 'account (lower(display_name) text_pattern_ops)' })
  await createIndexConcurrently(db, { name: 'report_open_account', on: `report (account_id, id) ${open}` })
  await createIndexConcurrently(db, { name: 'report_open_target', on: `report (target_id, id) ${open}` })
  await createIndexConcurrently(db, { name: 'report_closed', on: `report (id) ${closed}` })
  await createIndexConcurrently(db, { name: 'report_closed_account', on: `report (account_id, id) ${closed}` })
  await createIndexConcurrently(db, { name: 'report_closed_target', on: `report (target_id, id) ${closed}` })
}

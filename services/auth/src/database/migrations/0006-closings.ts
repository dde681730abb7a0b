import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Logins of people who delete their account. */
export const deletions: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table login add column closing_at timestamptz`.execute(db)
    // Answers: whose account is still to be deleted?
    await sql`create index login_closing on login (closing_at) where closing_at is not null`.execute(db)
  },
}

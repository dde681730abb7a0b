import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** In which browsers people are signed in, and addresses that wait to become theirs. */
export const accountPages: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table session_browser (
        uid text primary key,
        account_id bigint not null references login on delete cascade,
        user_agent text not null,
        signed_in_at timestamptz not null
      )`.execute(db)
    // Answers: in which browsers is this person signed in?
    await sql`create index session_browser_account on session_browser (account_id)`.execute(db)

    // Answers by its key: which address does this person want to have?
    await sql`
      create table email_change (
        account_id bigint primary key references login on delete cascade,
        digest bytea not null unique,
        email text not null,
        expires_at timestamptz not null
      )`.execute(db)
    // Answers: which links may be forgotten?
    await sql`create index email_change_expires on email_change (expires_at)`.execute(db)
  },
}

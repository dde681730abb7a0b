import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Mail about what waits for staff: who of them does not want which, and when each kind was sent last. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table mail_preference
      add column report boolean not null default true,
      add column appeal boolean not null default true,
      add column pending_account boolean not null default true`.execute(db)
  await sql`create table staff_mail_round (kind text primary key, sent_at timestamptz not null)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Of which notifications people want mail; a row is there for those who asked. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // hour: the hour since 1970 that sent_in_hour counts. digest_due_at: when a digest was last due.
  await sql`
    create table mail_preference (
      account_id bigint primary key references login on delete cascade,
      mention boolean not null,
      follow boolean not null,
      follow_request boolean not null,
      digest boolean not null,
      hour integer not null default 0,
      sent_in_hour integer not null default 0,
      digest_due_at timestamptz
    )`.execute(db)
  // Answers: who wants digests, the one whose last is longest ago first?
  await sql`create index mail_preference_digest on mail_preference (digest_due_at nulls first, account_id) where digest`.execute(db)
}

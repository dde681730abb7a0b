import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Lists of domains that staff read in. outcome is null while a line waits; read by import and line. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table domain_import (
      id bigint generated always as identity primary key,
      staff_id bigint,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz
    )`.execute(db)
  await sql`
    create table domain_import_line (
      import_id bigint not null references domain_import on delete cascade,
      line integer not null,
      domain text not null,
      severity text not null,
      reject_media boolean not null,
      reject_reports boolean not null,
      public_comment text not null,
      obfuscate boolean not null,
      outcome text check (outcome in ('done', 'known', 'invalid')),
      primary key (import_id, line)
    )`.execute(db)
  // Answers: which lines of a list wait, in order?
  await sql`create index domain_import_line_waiting on domain_import_line (import_id, line) where outcome is null`.execute(db)
}

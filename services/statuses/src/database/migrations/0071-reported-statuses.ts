import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What reports name, as they found it: one copy of each state of a status, however many reports name it; and which reports have copies. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table status_copy (
      id bigint generated always as identity primary key,
      status_id bigint not null,
      revised_at timestamptz not null,
      content bytea not null,
      unique (status_id, revised_at))`.execute(db)
  await sql`
    create table reported_status (
      report_id bigint not null references report on delete cascade,
      copy_id bigint not null references status_copy,
      primary key (report_id, copy_id))`.execute(db)
  // Answers: which reports need this copy?
  await sql`create index reported_status_copy on reported_status (copy_id)`.execute(db)
  await sql`alter table report add column has_copies boolean not null default false`.execute(db)
}

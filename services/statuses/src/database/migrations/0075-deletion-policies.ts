import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Who has their old statuses deleted, which of them stay, and how far the search for those to delete is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table deletion_policy (
      account_id bigint primary key references account on delete cascade,
      is_on boolean not null,
      days integer not null,
      keep_direct boolean not null,
      keep_pinned boolean not null,
      keep_polls boolean not null,
      keep_media boolean not null,
      keep_favourited boolean not null,
      keep_bookmarked boolean not null,
      min_favourites integer,
      min_boosts integer,
      after_id bigint not null,
      due_at timestamptz not null
    )`.execute(db)
  // Answers: whose statuses are to be looked at next?
  await sql`create index deletion_policy_due on deletion_policy (due_at) where is_on`.execute(db)
}

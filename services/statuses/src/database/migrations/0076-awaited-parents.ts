import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Replies of other servers that arrived before the status that they answer. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table awaited_parent (
      status_id bigint primary key references status_head on delete cascade,
      uri text not null,
      created_at timestamptz not null
    )`.execute(db)
  // Answers: which replies wait for this status?
  await sql`create index awaited_parent_uri on awaited_parent (uri, status_id)`.execute(db)
  // Answers: which wait longest?
  await sql`create index awaited_parent_created on awaited_parent (created_at)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** How large the files of a record are; null of those that were kept before this step. And what all take, as it was last summed. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table attachment add column original_bytes integer, add column preview_bytes integer`.execute(db)
  await sql`
    create table kept_bytes (
      id smallint primary key check (id = 1),
      uploaded bigint not null,
      remote bigint not null,
      summed_at timestamptz not null
    )`.execute(db)
}

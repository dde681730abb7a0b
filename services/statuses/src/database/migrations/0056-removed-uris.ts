import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Statuses of other servers that staff deleted: they do not come again. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table removed_uri (uri text primary key, created_at timestamptz not null)`.execute(db)
}

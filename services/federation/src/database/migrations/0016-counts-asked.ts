import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** When the collections of a person were last to be counted; null for never. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table remote_actor add column counts_asked_at timestamptz`.execute(db)
}

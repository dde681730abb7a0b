import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** How much more often than here a status of another server was favourited and boosted, as its server says: null is no more. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table status_head add column favourites_elsewhere integer, add column reblogs_elsewhere integer`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The highest id of a status that the account has published: the next one is above it, so that its posts are written in the order of their ids. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column last_status_id bigint not null default 0`.execute(db)
}

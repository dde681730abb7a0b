import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What a notification says that is no record of another service: an encoded NotificationDetail. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table notification add column detail bytea`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * Statuses of other servers. is_fetched: kept because someone asked for it or for its thread; no feed holds it. A poll of another server may
 * have no end. is_local of a follow: the follower is of this server, and has a home.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table status_head add column is_fetched boolean not null default false`.execute(db)
  await sql`alter table poll alter column expires_at drop not null`.execute(db)
  await sql`alter table follow add column is_local boolean not null default true`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The time that a scheduled status missed because it could not be published. It is a draft since, for its author to decide about. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table scheduled_status add column missed_at timestamptz`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether an activity is for followers alone, and says how many of those are on each server (FEP-8fcf). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table outbound_activity add column is_for_followers boolean not null default false`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether an activity ends a follow: those go to servers that staff suspended too. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table outbound_activity add column ends_follow boolean not null default false`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether an account of another server is suspended because that server says so. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column suspended_by_server boolean not null default false`.execute(db)
}

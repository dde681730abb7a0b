import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Acts of staff on an account come in the order of their ids. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column last_act_id bigint not null default 0`.execute(db)
}

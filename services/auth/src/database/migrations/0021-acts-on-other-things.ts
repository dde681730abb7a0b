import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The log also holds what staff do to domains, addresses, trends, announcements and texts: then there is no account, and target names it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table staff_act alter column account_id drop not null`.execute(db)
  await sql`alter table staff_act add column target text not null default ''`.execute(db)
}

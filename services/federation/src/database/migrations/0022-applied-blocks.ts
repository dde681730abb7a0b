import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether statuses knows a block. Imported blocks of domains without known accounts are told when the first account is opened. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table domain_block add column is_applied boolean not null default false`.execute(db)
}

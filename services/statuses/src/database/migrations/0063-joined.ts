import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether someone of this server has signed up in full: others see them, also while their login is disabled. Known once auth has said so. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column has_joined boolean not null default false`.execute(db)
}

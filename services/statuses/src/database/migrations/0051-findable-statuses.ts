import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Which statuses everyone may find by their words: public ones by authors who are indexable. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table status add column is_findable boolean not null default false`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Rules that staff removed: reports may name them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table removed_rule (id bigint primary key, text text not null, hint text not null)`.execute(db)
}

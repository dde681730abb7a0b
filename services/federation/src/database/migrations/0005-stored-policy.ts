import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Staff store a privacy policy too; which texts there are is said by the code alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table instance_text drop constraint if exists instance_text_name_check`.execute(db)
}

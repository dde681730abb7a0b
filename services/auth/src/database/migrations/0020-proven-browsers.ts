import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** When a person who is signed in gave their password once more in a browser; null for those who did not. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table session_browser add column proved_at timestamptz`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** When staff removed an app. It is let in nowhere from then on, and its row goes once its tokens are gone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table app add column removed_at timestamptz`.execute(db)
}

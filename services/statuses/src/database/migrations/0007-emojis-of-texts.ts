import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The emojis of texts, as they were when the texts were written: importing and removing changes nothing that was said. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['status', 'status_revision', 'account']) {
    await sql.raw(`alter table ${table} add column emojis jsonb not null default '[]'`).execute(db)
  }
}

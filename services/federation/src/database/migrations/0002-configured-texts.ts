import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** The texts of the settings as last read, and when each changed: a setting has no date of its own. */
export const configuredTexts: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table configured_text (
        name text primary key,
        value text not null,
        changed_at timestamptz not null
      )`.execute(db)
  },
}

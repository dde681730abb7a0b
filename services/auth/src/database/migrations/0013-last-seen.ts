import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** The last day on which a person used a token or signed in. */
export const lastSeen: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table login add column last_seen_on date`.execute(db)
  },
}

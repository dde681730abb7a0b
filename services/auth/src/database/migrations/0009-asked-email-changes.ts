import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** A change of address is on record from the moment it is asked for: what takes it back leaves nothing for the link to be stored in. */
export const askedEmailChanges: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table email_change alter column digest drop not null`.execute(db)
  },
}

import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const filesOfOwners: MigrationStep = {
  phase: 'expand',
  async up(db) {
    // Answers: which files are this person's, to go with them?
    await sql`create index attachment_owner on attachment (owner_id)`.execute(db)
  },
}

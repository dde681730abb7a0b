import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const filesOfOwners: Migration = {
  async up(db) {
    // Answers: which files are this person's, to go with them?
    await sql`create index attachment_owner on attachment (owner_id)`.execute(db)
  },
}

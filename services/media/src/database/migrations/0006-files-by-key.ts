import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const filesByKey: MigrationStep = {
  phase: 'expand',
  async up(db) {
    // Answer: which records name the files between two keys?
    await sql`create index attachment_original on attachment (original_key) where original_key is not null`.execute(db)
    await sql`create index attachment_preview on attachment (preview_key) where preview_key is not null`.execute(db)
  },
}

import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const thumbnails: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    await sql`
      alter table attachment drop constraint attachment_purpose_check, add constraint attachment_purpose_check
      check (purpose in ('attachment', 'avatar', 'header', 'emoji', 'preview', 'thumbnail')) not valid`.execute(db)
    await sql`alter table attachment validate constraint attachment_purpose_check`.execute(db)
  },
}

import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const previewPictures: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table attachment drop constraint attachment_purpose_check`.execute(db)
    await sql`
      alter table attachment add constraint attachment_purpose_check
      check (purpose in ('attachment', 'avatar', 'header', 'emoji', 'preview'))`.execute(db)
  },
}

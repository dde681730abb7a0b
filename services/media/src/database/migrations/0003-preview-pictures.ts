import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const previewPictures: Migration = {
  async up(db) {
    await sql`alter table attachment drop constraint attachment_purpose_check`.execute(db)
    await sql`
      alter table attachment add constraint attachment_purpose_check
      check (purpose in ('attachment', 'avatar', 'header', 'emoji', 'preview'))`.execute(db)
  },
}

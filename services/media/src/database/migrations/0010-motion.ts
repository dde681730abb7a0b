import { createIndexConcurrently, type MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const motion: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    await sql`
      alter table attachment
      add column if not exists source_key text,
      add column if not exists motion jsonb,
      add column if not exists tries smallint not null default 0,
      add column if not exists processing_ends_at timestamptz`.execute(db)
    await sql`
      alter table attachment
      drop constraint if exists attachment_type_check, add constraint attachment_type_check
      check (type in ('image', 'gifv', 'video', 'audio', 'unknown')) not valid,
      drop constraint if exists attachment_state_check, add constraint attachment_state_check
      check (state in ('pending', 'done', 'failed')) not valid`.execute(db)
    await sql`alter table attachment validate constraint attachment_type_check`.execute(db)
    await sql`alter table attachment validate constraint attachment_state_check`.execute(db)
    // Answers: which records name the files between two keys?
    await createIndexConcurrently(db, { name: 'attachment_source', on: 'attachment (source_key) where source_key is not null' })
    // Answers: which files have been processed for too long?
    await createIndexConcurrently(db, {
      name: 'attachment_processing',
      on: 'attachment (processing_ends_at) where processing_ends_at is not null',
    })
  },
}

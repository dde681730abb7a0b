import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const attachments: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table attachment (
        id bigint primary key,
        owner_id bigint not null,
        purpose text not null check (purpose in ('attachment', 'avatar', 'header')),
        type text not null check (type in ('image', 'unknown')),
        state text not null check (state in ('pending', 'done')),
        original_key text,
        preview_key text,
        width integer,
        height integer,
        preview_width integer,
        preview_height integer,
        blurhash text,
        description text not null,
        focus_x double precision,
        focus_y double precision,
        created_at timestamptz not null,
        subject_id bigint,
        claimed_at timestamptz,
        expires_at timestamptz
      )`.execute(db)
    // Answers: which files does a deleted or published status show?
    await sql`create index attachment_subject on attachment (subject_id) where subject_id is not null`.execute(db)
    // Answers: which records are due to be deleted?
    await sql`create index attachment_expires on attachment (expires_at) where expires_at is not null`.execute(db)
    await sql`
      create table discarded_file (
        key text primary key,
        discarded_at timestamptz not null
      )`.execute(db)
  },
}

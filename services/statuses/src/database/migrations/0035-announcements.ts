import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** What those who run the server announce to everyone, who has read it, and who reacted to it. */
export const announcements: MigrationStep = {
  phase: 'expand',
  async up(db) {
    // publish_at: when it is to be shown, null while no one wants it shown. published_at: since when it is shown, null while it is not.
    await sql`
      create table announcement (
        id bigint generated always as identity primary key,
        text text not null,
        content text not null,
        mention_ids bigint[] not null,
        status_ids bigint[] not null,
        tags text[] not null,
        emojis jsonb not null,
        starts_at timestamptz,
        ends_at timestamptz,
        all_day boolean not null,
        publish_at timestamptz,
        published_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db)
    // Answers: which announcements are shown, the latest first?
    await sql`create index announcement_shown on announcement (id desc) where published_at is not null`.execute(db)
    await sql`
      create table announcement_dismissal (
        announcement_id bigint references announcement on delete cascade,
        account_id bigint references account on delete cascade,
        primary key (announcement_id, account_id)
      )`.execute(db)
    // Answers: which dismissals go when this account goes?
    await sql`create index announcement_dismissal_account on announcement_dismissal (account_id)`.execute(db)
    // How many reacted with one emoji, in the order of the first reactions; emoji: the picture of a custom one.
    await sql`
      create table announcement_reaction_count (
        id bigint generated always as identity primary key,
        announcement_id bigint not null references announcement on delete cascade,
        name text not null,
        count integer not null,
        emoji jsonb,
        constraint announcement_reaction_count_once unique (announcement_id, name)
      )`.execute(db)
    await sql`
      create table announcement_reaction (
        announcement_id bigint references announcement on delete cascade,
        account_id bigint references account on delete cascade,
        name text,
        primary key (announcement_id, account_id, name)
      )`.execute(db)
    // Answers: which reactions go when this account goes?
    await sql`create index announcement_reaction_account on announcement_reaction (account_id)`.execute(db)
  },
}

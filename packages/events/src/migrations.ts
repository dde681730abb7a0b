import type { MigrationSet } from '@rookery/database'
import { sql } from 'kysely'

/** The tables for the outbox, for exactly-once consumers and for dead letters, in the schema of each service with events. */
export const eventMigrations: MigrationSet = {
  name: 'events',
  steps: {
    '0001-outbox-and-consumers': {
      phase: 'expand',
      async up(db) {
        await sql`
          create table outbox (
            id bigint generated always as identity primary key,
            topic text not null,
            key text not null,
            envelope bytea not null
          )`.execute(db)
        await sql`
          create table processed_event (
            consumer text not null,
            event_id uuid not null,
            processed_at timestamptz not null default now(),
            primary key (consumer, event_id)
          )`.execute(db)
        // For deleting old rows.
        await sql`create index processed_event_at on processed_event using brin (processed_at)`.execute(db)
        await sql`
          create table dead_letter (
            id bigint generated always as identity primary key,
            consumer text not null,
            event_id uuid not null,
            topic text not null,
            key text not null,
            envelope bytea not null,
            error text not null,
            failed_at timestamptz not null default now()
          )`.execute(db)
      },
    },
  },
}

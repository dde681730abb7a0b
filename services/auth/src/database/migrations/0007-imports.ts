import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Files that people read in, line by line. */
export const imports: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table import (
        id bigint primary key,
        account_id bigint not null references login on delete cascade,
        kind text not null,
        replaces boolean not null,
        created_at timestamptz not null,
        cleared_at timestamptz,
        finished_at timestamptz
      )`.execute(db)
    // Answers: what did this person read in lately?
    await sql`create index import_account on import (account_id, id desc)`.execute(db)
    // Answers: which files are not read in yet?
    await sql`create index import_unfinished on import (id) where finished_at is null`.execute(db)

    // outcome: done, unknown or refused; null while the line waits.
    await sql`
      create table import_line (
        import_id bigint not null references import on delete cascade,
        line integer not null,
        cells text[] not null,
        outcome text,
        primary key (import_id, line)
      )`.execute(db)
    // Answers: which lines come next?
    await sql`create index import_line_waiting on import_line (import_id, line) where outcome is null`.execute(db)
  },
}

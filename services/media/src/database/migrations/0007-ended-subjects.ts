import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const endedSubjects: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table ended_subject (
        id bigint primary key,
        ended_at timestamptz not null
      )`.execute(db)
    // Answers: which have been gone so long that no event about them can still come?
    await sql`create index ended_subject_ended on ended_subject (ended_at)`.execute(db)
  },
}

import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

export const describedAt: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table attachment add column described_at timestamptz`.execute(db)
  },
}

import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/**
 * Why a login is of no use, each reason for itself, so that taking one back leaves the others. Logins of people who were suspended before
 * are disabled; enabling them is a step of its own.
 */
export const reasonsToBeShutOut: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table login add column suspended_at timestamptz, add column memorial_at timestamptz`.execute(db)
  },
}

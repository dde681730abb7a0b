import type { ContractStep } from '@rookery/database'
import { sql } from 'kysely'

/** An index of what a person scheduled that holds drafts too took the place of this one. The baseline has it no more. */
export const oneIndexOfScheduled: ContractStep = {
  phase: 'contract',
  after: '0032-scheduled-of-account',
  isTransactional: false,
  async up(db) {
    await sql`drop index concurrently if exists scheduled_status_account`.execute(db)
  },
}

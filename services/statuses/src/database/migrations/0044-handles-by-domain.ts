import type { ContractStep } from '@rookery/database'
import { sql } from 'kysely'

/** A person of another server may have the username of one of this server: account_local_username took the place of this index. */
export const handlesByDomain: ContractStep = {
  phase: 'contract',
  after: '0043-indexes-of-elsewhere',
  isTransactional: false,
  async up(db) {
    await sql`drop index concurrently if exists account_username`.execute(db)
  },
}

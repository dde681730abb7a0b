import type { ContractStep } from '@rookery/database'
import { sql } from 'kysely'

/** Words are looked for among findable statuses, and in the viewer's own by reading them: the index of all words has no readers. */
export const wordsOfFindable: ContractStep = {
  phase: 'contract',
  after: '0052-indexes-of-findable',
  isTransactional: false,
  async up(db) {
    await sql`drop index concurrently if exists status_search`.execute(db)
  },
}

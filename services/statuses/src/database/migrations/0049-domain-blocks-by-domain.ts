import { createIndexConcurrently, type MigrationStep } from '@rookery/database'

/** People of other servers are left out for those who shut their servers out. */
export const domainBlocksByDomain: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    // Answers: who shut this server out?
    await createIndexConcurrently(db, { name: 'domain_block_domain', on: 'domain_block (domain, account_id)' })
  },
}

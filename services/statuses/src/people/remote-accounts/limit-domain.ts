import type { LimitDomainRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { DomainLimitWriter } from './domain-limit.store.ts'
import { requestLimiting } from './limit-domain.job.ts'

/**
 * Keeps what staff decided of a domain and those below it, in place of what was decided before; a limit of nothing is none. A job changes the
 * accounts that are there.
 */
export const limitDomain =
  ({ database }: { database: Database<StatusesTables> }) =>
  async ({ domain, isSilenced, isSuspended, rejectsMedia }: LimitDomainRequest): Promise<void> => {
    await transact(database.db, async (tx) => {
      const limits = new DomainLimitWriter(tx)
      const isLimit = isSilenced || isSuspended || rejectsMedia
      await (isLimit ? limits.set(domain, { isSilenced, isSuspended, rejectsMedia }) : limits.remove(domain))
      await requestLimiting(tx, domain)
    })
  }

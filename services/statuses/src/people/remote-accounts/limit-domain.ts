import type { LimitDomainRequest } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import { relationshipsSevered } from '../graph/index.ts'
import { domainLimited } from './domain-limit.events.ts'
import { DomainLimitWriter, readLosses } from './domain-limit.store.ts'
import { requestLimiting } from './limit-domain.job.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; ids: Ids }

/** Notifies people of this server of the follows that are about to end, by a suspension that is new. */
const notifyOfLosses = async (tx: Tx<StatusesTables>, { outbox, ids }: Deps, domain: string) => {
  const severance = { id: ids.next(), type: 'domain_block', targetName: domain } as const
  await outbox.append(tx, relationshipsSevered(severance, await readLosses(tx, { domain })))
}

/**
 * Keeps what staff decided of a domain and those below it, in place of what was decided before; a limit of nothing is none. A job changes the
 * accounts that are there, and ends the follows of those that are suspended by it, of which people are notified before.
 */
export const limitDomain =
  (deps: Deps) =>
  async ({ domain, isSilenced, isSuspended, rejectsMedia }: LimitDomainRequest): Promise<void> => {
    await transact(deps.database.db, async (tx) => {
      const limits = new DomainLimitWriter(tx)
      const before = (await limits.limits([domain])).get(domain)
      if (isSuspended && !before?.isSuspended) await notifyOfLosses(tx, deps, domain)
      const isLimit = isSilenced || isSuspended || rejectsMedia
      await (isLimit ? limits.set(domain, { isSilenced, isSuspended, rejectsMedia }) : limits.remove(domain))
      await deps.outbox.append(tx, [domainLimited({ domain, isSilenced, isSuspended, rejectsMedia })])
      await requestLimiting(tx, domain)
    })
  }

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

/** Notifies local people of the follows that a new suspension is about to end. */
const notifyOfLosses = async (tx: Tx<StatusesTables>, { outbox, ids }: Deps, domain: string) => {
  const severance = { id: ids.next(), type: 'domain_block', targetName: domain } as const
  await outbox.append(tx, relationshipsSevered(severance, await readLosses(tx, { domain })))
}

/**
 * Stores the staff's limits on a domain and its subdomains, replacing former ones; an empty limit deletes them. A job changes the existing accounts,
 * and ends the follows of suspended ones; their followers are notified before.
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

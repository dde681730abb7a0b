import type { LimitDomainRequest } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import { relationshipsSevered } from '../graph/index.ts'
import { domainLimited } from './domain-limit.events.ts'
import { isDecision, limitFor } from './domain-limit.rules.ts'
import { DomainLimitWriter, readLosses } from './domain-limit.store.ts'
import { requestLimiting } from './limit-domain.job.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; ids: Ids }

/** Notifies local people of the follows that a new suspension is about to end. */
const notifyOfLosses = async (tx: Tx<StatusesTables>, { outbox, ids }: Deps, domain: string) => {
  const severance = { id: ids.next(), type: 'domain_block', targetName: domain } as const
  const spared = await new DomainLimitWriter(tx).decidedBelow(domain)
  await outbox.append(tx, relationshipsSevered(severance, await readLosses(tx, { domain, spared })))
}

/**
 * Stores the staff's limits on a domain and its subdomains, replacing former ones, or that they decided nothing about it any more. A job changes the
 * existing accounts, and ends the follows of suspended ones; their followers are notified before.
 */
export const limitDomain =
  (deps: Deps) =>
  async ({ domain, ...limit }: LimitDomainRequest): Promise<void> => {
    await transact(deps.database.db, async (tx) => {
      const limits = new DomainLimitWriter(tx)
      const isSuspended = async () => limitFor(domain, await limits.limits(coveringDomains(domain))).isSuspended
      const wasSuspended = await isSuspended()
      const { isDecided, ...decision } = { ...limit, isDecided: isDecision(limit) }
      await (isDecided ? limits.set(domain, decision) : limits.remove(domain))
      if (!wasSuspended && (await isSuspended())) await notifyOfLosses(tx, deps, domain)
      await deps.outbox.append(tx, [domainLimited({ domain, ...decision, isDecided })])
      await requestLimiting(tx, domain)
    })
  }

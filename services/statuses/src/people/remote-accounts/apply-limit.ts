import type { Tx } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { StatusesTables } from '../../database/schema.ts'
import { differs, limitedState, limitFor } from './domain-limit.rules.ts'
import { DomainLimitWriter } from './domain-limit.store.ts'

/** Applies the current limits of their domains to remote accounts; returns the ids of those suspended because of their domain. */
export const applyLimits = async (tx: Tx<StatusesTables>, ids: readonly string[]): Promise<string[]> => {
  const writer = new DomainLimitWriter(tx)
  const accounts = await writer.hold(ids)
  const domains = new Set(accounts.flatMap(({ domain }) => coveringDomains(domain)))
  const limits = await writer.limits([...domains])
  const suspended: string[] = []
  for (const { id, domain, ...before } of accounts) {
    const after = limitedState(before, limitFor(domain, limits))
    if (differs(before, after)) await writer.change(id, after)
    if (after.suspendedByDomain) suspended.push(id)
  }
  return suspended
}

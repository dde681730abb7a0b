import type { OutboxEvent } from '@rookery/events'

type DomainOf = { accountId: string; domain: string }

/** An account blocked a domain, of which it followed these accounts. */
export const domainBlocked = (block: DomainOf & { followedIds: string[] }): OutboxEvent => ({
  key: block.accountId,
  event: { $case: 'domainBlocked', value: block },
})

/** An account unblocked a domain. */
export const domainUnblocked = (block: DomainOf): OutboxEvent => ({
  key: block.accountId,
  event: { $case: 'domainUnblocked', value: block },
})

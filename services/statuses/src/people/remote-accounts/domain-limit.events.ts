import type { DomainLimited } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Staff changed the limits of a domain and its subdomains. */
export const domainLimited = (value: DomainLimited): OutboxEvent => ({ key: value.domain, event: { $case: 'domainLimited', value } })

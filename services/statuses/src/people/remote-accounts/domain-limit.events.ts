import type { DomainLimited } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Staff decided something of a domain and those below it. */
export const domainLimited = (value: DomainLimited): OutboxEvent => ({ key: value.domain, event: { $case: 'domainLimited', value } })

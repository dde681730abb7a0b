import type { AccountSuspended } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A person of this server is suspended, or no longer. */
export const accountSuspended = (value: AccountSuspended): OutboxEvent => ({
  key: value.accountId,
  event: { $case: 'accountSuspended', value },
})

import type { AccountSuspended } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that a local account was suspended or unsuspended. */
export const accountSuspended = (value: AccountSuspended): OutboxEvent => ({
  key: value.accountId,
  event: { $case: 'accountSuspended', value },
})

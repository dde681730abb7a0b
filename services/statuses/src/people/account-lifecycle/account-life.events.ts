import type { OutboxEvent } from '@rookery/events'

/** An account is gone, with everything of it that statuses kept. */
export const accountRemoved = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountRemoved', value: { accountId } },
})

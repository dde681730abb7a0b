import type { OutboxEvent } from '@rookery/events'

/** An account is gone, with everything of it that statuses kept. */
export const accountRemoved = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountRemoved', value: { accountId } },
})

/** A person of this server is gone from now on. */
export const accountClosed = (accountId: string, username: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountClosed', value: { accountId, username } },
})

import type { OutboxEvent } from '@rookery/events'

/** The statuses of a closed account were deleted. */
export const accountEmptied = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountEmptied', value: { accountId } },
})

/** An account was removed, with all its data in statuses. */
export const accountRemoved = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountRemoved', value: { accountId } },
})

/** A local account was closed. */
export const accountClosed = (accountId: string, username: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountClosed', value: { accountId, username } },
})

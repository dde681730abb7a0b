import type { NotificationReference } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** What a digest for this account is made of. */
export const unreadNotificationsListed = (accountId: string, notifications: NotificationReference[]): OutboxEvent => ({
  key: accountId,
  event: { $case: 'unreadNotificationsListed', value: { accountId, notifications } },
})

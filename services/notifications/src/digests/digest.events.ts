import type { NotificationReference } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The notifications for an account's digest. */
export const unreadNotificationsListed = (accountId: string, notifications: NotificationReference[]): OutboxEvent => ({
  key: accountId,
  event: { $case: 'unreadNotificationsListed', value: { accountId, notifications } },
})

import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that the filtered notifications of accepted accounts were merged. */
export const notificationsMerged = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'notificationsMerged', value: { accountId } },
})

/** The encoded live message for the owner's streams. */
export const liveNotificationsMerged = (accountId: string, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'notificationsMerged', value: { accountId } } }).finish()

import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** What was held back of accounts that this one accepted has appeared. */
export const notificationsMerged = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'notificationsMerged', value: { accountId } },
})

/** The live message for the owner's streams, encoded. */
export const liveNotificationsMerged = (accountId: string, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'notificationsMerged', value: { accountId } } }).finish()

import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The account's filters changed. */
export const filtersChanged = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'filtersChanged', value: { accountId } },
})

/** The encoded live message for the owner's streams (beyond-the-spec 1.7). */
export const liveFiltersChanged = (accountId: string, eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'filtersChanged', value: { accountId } } }).finish()

import { LiveMessage } from '@rookery/contracts/events'
import type { Marker } from '@rookery/contracts/notifications'
import type { OutboxEvent } from '@rookery/events'

/** The event that an account's markers of these timelines changed. */
export const markersChanged = (accountId: string, timelines: string[]): OutboxEvent => ({
  key: accountId,
  event: { $case: 'markersChanged', value: { accountId, timelines } },
})

/** The encoded live message for the owner's streams. */
export const liveMarkers = (recipientId: string, markers: Marker[], eventId: string): Uint8Array =>
  LiveMessage.encode({ eventId, event: { $case: 'markers', value: { recipientId, markers } } }).finish()

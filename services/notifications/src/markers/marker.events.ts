import { LiveMessage } from '@rookery/contracts/events'
import type { Marker } from '@rookery/contracts/notifications'

/** What open connections of the owner are told of markers that changed, encoded. */
export const liveMarkers = (recipientId: string, markers: Marker[]): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'markers', value: { recipientId, markers } } }).finish()

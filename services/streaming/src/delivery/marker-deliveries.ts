import type { LiveMarkers } from '@rookery/contracts/events'
import { markersEntity } from '@rookery/entities'
import { prepare } from '../channels/frames.ts'
import { personalKey } from '../channels/names.ts'
import type { OpenChannels } from '../channels/open.ts'
import type { Delivery } from './deliveries.ts'

/** Markers that changed, as GET /api/v1/markers shows them, to the owner's streams that asked for them by name. */
export const markerDeliveries =
  ({ open }: { open: OpenChannels }) =>
  ({ recipientId, markers }: LiveMarkers): Delivery[] => {
    const subscribers = [...open.hearing(personalKey('user:markers', recipientId))]
    return subscribers.length > 0 ? [{ event: prepare('marker', JSON.stringify(markersEntity(markers))), subscribers }] : []
  }

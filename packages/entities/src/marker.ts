import type { Marker } from '@rookery/contracts/notifications'
import { timestamp } from './timestamp.ts'

/** Markers by timeline (spec, Resources). */
export const markersEntity = (markers: readonly Marker[]) =>
  Object.fromEntries(
    markers.map(({ timeline, lastReadId, version, updatedAtMilliseconds }) => [
      timeline,
      { last_read_id: lastReadId, version, updated_at: timestamp(updatedAtMilliseconds) },
    ]),
  )

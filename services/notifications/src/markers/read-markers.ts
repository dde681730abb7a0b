import type { Marker, ReadMarkersRequest } from '@rookery/contracts/notifications'
import type { Database } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import type { MarkerRow } from '../database/tables/marker.ts'
import { readMarkerRows } from './marker.store.ts'

/** A row as a message. */
export const markerOf = (row: MarkerRow): Marker => ({
  timeline: row.timeline,
  lastReadId: row.lastReadId,
  version: row.version,
  updatedAtMilliseconds: row.updatedAt.getTime(),
})

/** Reads the viewer's markers of these timelines; missing ones are left out (beyond-the-spec 1.16). */
export const readMarkers =
  ({ database }: { database: Database<NotificationsTables> }) =>
  async ({ viewerId, timelines }: ReadMarkersRequest): Promise<Marker[]> =>
    timelines.length === 0 ? [] : (await readMarkerRows(database.db, viewerId, timelines)).map(markerOf)

import type { Marker, WriteMarkersRequest } from '@rookery/contracts/notifications'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { markersChanged } from './marker.events.ts'
import { isMarked, nextMarkers } from './marker.rules.ts'
import { readMarkerRows, writeMarkerRows } from './marker.store.ts'
import { markerOf } from './read-markers.ts'

type Deps = { database: Database<NotificationsTables>; outbox: Outbox; clock: Clock }

/**
 * Sets the viewer's markers, all or none; backwards as well as forwards, the last write counts (spec, Markers; beyond-the-spec 1.16). The
 * owner's other clients are notified of changes.
 * @throws Failure conflict when another write came in between, invalid for an invalid id
 */
export const writeMarkers =
  (deps: Deps) =>
  ({ viewerId, positions }: WriteMarkersRequest): Promise<Marker[]> =>
    transact(deps.database.db, async (tx) => {
      const wanted = positions.filter(({ timeline }) => isMarked(timeline))
      const timelines = wanted.map(({ timeline }) => timeline)
      const current = await readMarkerRows(tx, viewerId, timelines)
      const next = nextMarkers(wanted, current)
      if (next.length === 0) return current.map(markerOf)
      const written = await writeMarkerRows(tx, viewerId, next, new Date(deps.clock.now()))
      if (written.length < next.length) throw new Failure('conflict', 'Conflict during update, please try again')
      const changed = written.map(markerOf)
      const isChanged = new Set(changed.map(({ timeline }) => timeline))
      await deps.outbox.append(tx, [markersChanged(viewerId, [...isChanged])])
      return [...current.filter(({ timeline }) => !isChanged.has(timeline)).map(markerOf), ...changed]
    })

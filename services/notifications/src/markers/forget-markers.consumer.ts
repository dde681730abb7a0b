import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { forgetMarkerRows } from './marker.store.ts'

/** Deletes the markers of removed accounts. */
export const forgetMarkers = (): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.markers',
    topic: 'statuses.v1',
    kinds: ['accountRemoved'],
    isUnhurried: true,
    handle: (tx, received) =>
      forgetMarkerRows(
        tx,
        received.map(({ event }) => event.value.accountId),
      ),
  })

import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { forgetMarkerRows } from './marker.store.ts'

/** Forgets how far people had read who are gone. */
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

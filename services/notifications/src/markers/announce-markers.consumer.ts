import type { Database } from '@rookery/database'
import type { Announce } from '@rookery/ephemeral'
import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { liveMarkers } from './marker.events.ts'
import { readMarkers } from './read-markers.ts'

/** Announces markers as they stand to the open streams of their owners. */
export const announceMarkers = (given: { database: Database<NotificationsTables>; announce: Announce }): Consumer<NotificationsTables> => {
  const read = readMarkers(given)
  return consumer({
    name: 'notifications.announce-markers',
    topic: 'notifications.v1',
    kinds: ['markersChanged'],
    handle: async () => {},
    announceAfter: (received) =>
      given.announce(async (connected) => {
        const present = new Set(connected)
        const messages: Uint8Array[] = []
        for (const { id, event } of received) {
          const { accountId: viewerId, timelines } = event.value
          if (present.has(viewerId)) messages.push(liveMarkers(viewerId, await read({ viewerId, timelines }), id))
        }
        return messages
      }),
  })
}

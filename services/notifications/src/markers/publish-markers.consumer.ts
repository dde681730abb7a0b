import type { Database } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { liveMarkers } from './marker.events.ts'
import { readMarkers } from './read-markers.ts'

/** Publishes current markers to the open streams of their owners. */
export const publishMarkers = (deps: {
  database: Database<NotificationsTables>
  publishLive: PublishLive
}): Consumer<NotificationsTables> => {
  const read = readMarkers(deps)
  return consumer({
    name: 'notifications.announce-markers',
    topic: 'notifications.v1',
    kinds: ['markersChanged'],
    handle: async () => {},
    publishAfter: (received) =>
      deps.publishLive(async (connected) => {
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

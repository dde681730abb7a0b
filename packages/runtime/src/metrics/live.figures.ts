import type { LiveChannel } from '@rookery/ephemeral'
import type { Figure } from './figure.ts'

/** A live channel that counts what goes over it. */
export const countedLive = (live: LiveChannel): { live: LiveChannel; figures: Figure[] } => {
  const counts = { published: 0, received: 0 }
  return {
    live: {
      publish(message) {
        counts.published++
        live.publish(message)
      },
      subscribe: (read) =>
        live.subscribe((message) => {
          counts.received++
          read(message)
        }),
      fault: () => live.fault(),
    },
    figures: [
      { name: 'rookery_live_published_total', help: 'Live messages sent.', count: () => counts.published },
      { name: 'rookery_live_received_total', help: 'Live messages that arrived here.', count: () => counts.received },
    ],
  }
}

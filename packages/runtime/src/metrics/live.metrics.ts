import type { LiveChannel } from '@rookery/ephemeral'
import type { Metric } from './metric.ts'

/** Wraps a live channel to count its messages. */
export const countedLive = (live: LiveChannel): { live: LiveChannel; metrics: Metric[] } => {
  const counts = { published: 0, received: 0, gaps: 0 }
  return {
    live: {
      publish(message) {
        counts.published++
        return live.publish(message)
      },
      reportGap: () => live.reportGap(),
      subscribe: ({ read, onGap }) =>
        live.subscribe({
          read(entry) {
            counts.received++
            read(entry)
          },
          onGap(gap) {
            if (!gap.isKept) counts.gaps++
            onGap?.(gap)
          },
        }),
      fault: () => live.fault(),
    },
    metrics: [
      { name: 'rookery_live_published_total', help: 'Live messages sent.', count: () => counts.published },
      { name: 'rookery_live_received_total', help: 'Live messages that arrived here.', count: () => counts.received },
      { name: 'rookery_live_gaps_total', help: 'Times live messages may not have arrived here.', count: () => counts.gaps },
    ],
  }
}

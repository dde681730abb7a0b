import type { Metric } from '@rookery/runtime'
import type { OpenChannels } from './channels/open.ts'
import type { History } from './history/history.ts'

/** Counters of the streams of this process since its start. */
export type StreamCounts = {
  /** Events written to connections. */
  sent: number
  /** Connections closed because their reader was too slow. */
  cut: number
  /** Connections closed because events may be missing on them. */
  incomplete: number
  /** Live messages dropped: because the queue was full, and because their views could not be read. */
  crowdedOut: number
  unreadable: number
  /** Repeated live messages. */
  repeated: number
  /** Resumed streams, replayed events, and streams that could not be resumed, by reason. */
  resumed: number
  replayed: number
  expired: number
  unknown: number
}

/** Starts at zero. */
export const noStreams = (): StreamCounts => ({
  ...{ sent: 0, cut: 0, incomplete: 0, crowdedOut: 0, unreadable: 0, repeated: 0 },
  ...{ resumed: 0, replayed: 0, expired: 0, unknown: 0 },
})

/** The metrics of streams: connections, sent events, losses. */
export const streamMetrics = (open: OpenChannels, history: History, counts: StreamCounts): Metric[] => [
  { name: 'rookery_stream_connections', help: 'Open WebSockets and event streams.', kind: 'gauge', count: () => open.connections().length },
  { name: 'rookery_stream_events_total', help: 'Events written to streams, once for each that got one.', count: () => counts.sent },
  { name: 'rookery_stream_slow_readers_total', help: 'Streams cut because their reader was too slow.', count: () => counts.cut },
  {
    name: 'rookery_stream_incomplete_total',
    help: 'Streams ended because events may be missing on them.',
    count: () => counts.incomplete,
  },
  { name: 'rookery_stream_repeated_total', help: 'Live messages that came again and were dropped.', count: () => counts.repeated },
  { name: 'rookery_stream_resumed_total', help: 'Streams that went on where their client was.', count: () => counts.resumed },
  { name: 'rookery_stream_replayed_total', help: 'Missed events written to resumed streams.', count: () => counts.replayed },
  {
    name: 'rookery_stream_resync_total',
    help: 'Streams whose client was asked to read its pages again, because what it missed is not known.',
    count: () => [
      { labels: { reason: 'expired' }, value: counts.expired },
      { labels: { reason: 'unknown' }, value: counts.unknown },
    ],
  },
  {
    name: 'rookery_stream_history_bytes',
    help: 'Live messages kept to resume streams from.',
    kind: 'gauge',
    count: () => history.size().bytes,
  },
  {
    name: 'rookery_stream_dropped_total',
    help: 'Live messages that no stream got: more came than can be delivered, or their records could not be read.',
    count: () => [
      { labels: { reason: 'crowded' }, value: counts.crowdedOut },
      { labels: { reason: 'unreadable' }, value: counts.unreadable },
    ],
  },
]

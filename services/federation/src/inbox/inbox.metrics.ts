import type { Metric } from '@rookery/runtime'

/** What came of requests to inboxes, and of the activities in them, since the process started. */
export type InboxCounts = Record<
  'accepted' | 'repeated' | 'ignored' | 'unsigned' | 'malformed' | 'forbidden' | 'limited' | 'worked' | 'refused' | 'retried' | 'failed',
  number
>

export const noActivities = (): InboxCounts => ({
  accepted: 0,
  repeated: 0,
  ignored: 0,
  unsigned: 0,
  malformed: 0,
  forbidden: 0,
  limited: 0,
  worked: 0,
  refused: 0,
  retried: 0,
  failed: 0,
})

/** Received activities for the metrics of the process. */
export const inboxMetrics = (counts: InboxCounts): Metric[] => [
  {
    name: 'rookery_federation_activities_total',
    help: 'Activities of other servers, by what came of them: at the inbox (accepted to limited), and when worked (worked to failed).',
    count: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]

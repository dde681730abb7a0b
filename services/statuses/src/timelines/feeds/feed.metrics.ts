import type { Metric } from '@rookery/runtime'
import type { FeedCounts } from './compare-homes.job.ts'

/** Metrics of comparing homes. */
export const feedMetrics = (counts: FeedCounts): Metric[] => [
  { name: 'rookery_homes_compared_total', help: 'Home feeds compared with what they should hold.', count: () => counts.compared },
  { name: 'rookery_homes_missing_total', help: 'Entries that home feeds lacked; they were put there.', count: () => counts.missing },
  {
    name: 'rookery_homes_unwanted_total',
    help: 'Entries that home feeds had too many; they were taken out.',
    count: () => counts.unwanted,
  },
]

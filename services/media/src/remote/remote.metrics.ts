import type { Database } from '@rookery/database'
import type { Clock, Metric } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { keptBytes } from '../kept-bytes/index.ts'
import { countResting } from './remote-host.store.ts'

/** The results of fetches: stored, or the reason of the failure. */
const FETCH_RESULTS = ['kept', 'missing', 'unreachable', 'refused', 'large', 'unreadable', 'rejected', 'resting', 'busy'] as const
export type FetchResult = (typeof FETCH_RESULTS)[number]

/** Counters of remote files since the start of the process. */
export type RemoteCounts = { results: Record<FetchResult, number>; bytes: number }

export const noRemoteFetches = (): RemoteCounts => ({
  results: Object.fromEntries(FETCH_RESULTS.map((result) => [result, 0])) as Record<FetchResult, number>,
  bytes: 0,
})

type Deps = { counts: RemoteCounts; database: Database<MediaTables>; clock: Clock }

/** The metrics of remote files. */
export const remoteMetrics = ({ counts, database, clock }: Deps): Metric[] => [
  {
    name: 'rookery_remote_media_fetches_total',
    help: 'Files of other servers that were asked for, by what came of it.',
    count: () => Object.entries(counts.results).map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'rookery_remote_media_fetched_bytes_total',
    help: 'Bytes that were fetched of files of other servers.',
    count: () => counts.bytes,
  },
  {
    name: 'rookery_remote_media_bytes',
    help: 'Bytes of the files of other servers that are kept.',
    kind: 'gauge',
    count: async () => (await keptBytes({ database })).remote,
  },
  {
    name: 'rookery_remote_media_hosts_resting',
    help: 'Hosts that are not asked for files at the moment, because they failed.',
    kind: 'gauge',
    count: async () => (await countResting(database, { now: new Date(clock.now()) }))[0]?.count ?? 0,
  },
]

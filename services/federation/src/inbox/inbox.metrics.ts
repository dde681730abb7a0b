import type { Database } from '@rookery/database'
import { type Clock, type Metric, sharedReading } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { readUnworked } from './received.store.ts'

/** The outcomes of requests to inboxes, and of processing their activities, since the process started. */
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

/** The metrics of received activities. */
export const inboxMetrics = (deps: { counts: InboxCounts; database: Database<FederationTables>; clock: Clock }): Metric[] => {
  const { counts, database, clock } = deps
  const unworked = sharedReading(async () => (await readUnworked(database, { now: new Date(clock.now()) }))[0])
  return [
    {
      name: 'rookery_federation_activities_total',
      help: 'Activities of other servers, by what came of them: at the inbox (accepted to limited), and when worked (worked to failed).',
      count: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: 'rookery_federation_activities_waiting',
      help: 'Activities of other servers that were accepted and are not worked yet.',
      kind: 'gauge',
      count: async () => (await unworked())?.waiting ?? 0,
    },
    {
      name: 'rookery_federation_activity_lag_seconds',
      help: 'Age of the oldest activity that waits, of actors whose activities do not fail.',
      kind: 'gauge',
      count: async () => (await unworked())?.oldest ?? 0,
    },
  ]
}

import type { Database } from '@rookery/database'
import { type Clock, type Metric, sharedReading } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { countFailing } from '../hosts/index.ts'
import type { Outcome } from './delivery.rules.ts'
import { readBacklog } from './delivery.store.ts'

/** The outcomes of delivery attempts since the process started. */
export type DeliveryCounts = Record<Outcome, number>

export const noDeliveries = (): DeliveryCounts => ({ delivered: 0, later: 0, refused: 0, gone: 0, expired: 0, blocked: 0, dropped: 0 })

/** The metrics of deliveries. */
export const deliveryMetrics = (deps: { counts: DeliveryCounts; database: Database<FederationTables>; clock: Clock }): Metric[] => {
  const { counts, database, clock } = deps
  const backlog = sharedReading(async () => (await readBacklog(database, { now: new Date(clock.now()) }))[0])
  return [
    {
      name: 'rookery_federation_deliveries_total',
      help: 'Attempts to deliver an activity to an inbox of another server, by what came of them; later: it is tried again.',
      count: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: 'rookery_federation_deliveries_waiting',
      help: 'Deliveries that wait.',
      kind: 'gauge',
      count: async () => (await backlog())?.waiting ?? 0,
    },
    {
      name: 'rookery_federation_delivery_lag_seconds',
      help: 'Age of the oldest delivery that waits, of hosts that fail too.',
      kind: 'gauge',
      count: async () => (await backlog())?.oldest ?? 0,
    },
    {
      name: 'rookery_federation_due_delivery_lag_seconds',
      help: 'Age of the oldest delivery that waits for a host that does not fail.',
      kind: 'gauge',
      count: async () => (await backlog())?.due ?? 0,
    },
    {
      name: 'rookery_federation_hosts_failing',
      help: 'Hosts of other servers that do not take deliveries at the moment.',
      kind: 'gauge',
      count: async () => (await countFailing(database, {}))[0]?.count ?? 0,
    },
  ]
}

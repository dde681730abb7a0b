import type { Relay } from '@rookery/events'
import type { Metric } from './metric.ts'

/** Whether this process relays the service's events: one of all replicas does. */
export const relayMetrics = ({ service, relay }: { service: string; relay: Pick<Relay, 'isHolding'> }): Metric[] => [
  {
    name: 'rookery_relay_active',
    help: 'Whether this process relays the events of the service: 1 in one process, 0 in those that stand by.',
    kind: 'gauge',
    count: () => [{ labels: { service }, value: relay.isHolding() ? 1 : 0 }],
  },
]

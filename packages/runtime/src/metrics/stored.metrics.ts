import type { Database } from '@rookery/database'
import { type Bus, countDeadLetters, type EventTables, readOutboxState } from '@rookery/events'
import { countJobs } from '@rookery/jobs'
import type { Metric } from './metric.ts'
import { sharedReading } from './shared-reading.ts'

/** A service's database that metrics are read from. */
export type Measured = { readonly service: string; readonly database: Pick<Database<EventTables>, 'db' | 'pool'> }

/** The backlog of the outbox: its size, and its age. */
const outboxMetrics = ({ service, database }: Measured): Metric[] => {
  const read = sharedReading(() => readOutboxState(database.db))
  const labels = { service }
  return [
    {
      name: 'rookery_outbox_facts',
      help: 'Events that wait in the outbox for the bus.',
      kind: 'gauge',
      count: async () => [{ labels, value: (await read()).events }],
    },
    {
      name: 'rookery_outbox_oldest_seconds',
      help: 'How long the oldest event has waited in the outbox; 0 when none waits.',
      kind: 'gauge',
      count: async () => {
        const { oldestMilliseconds } = await read()
        return [{ labels, value: oldestMilliseconds === undefined ? 0 : Math.max(0, Date.now() - oldestMilliseconds) / 1000 }]
      },
    },
  ]
}

/** The number of dead letters by consumer. Consumers without any report 0, so that an alert has a baseline. */
const deadLetterMetrics = ({ service, database }: Measured, consumers: readonly string[]): Metric[] => [
  {
    name: 'rookery_dead_letters',
    help: 'Events put aside for an operator, because they could not be acted on.',
    kind: 'gauge',
    count: async () => {
      const counts = await countDeadLetters(database.db)
      return [...new Set([...consumers, ...counts.keys()])].map((consumer) => ({
        labels: { service, consumer },
        value: counts.get(consumer) ?? 0,
      }))
    },
  },
]

const JOB_HELPS = {
  due: 'Jobs whose time has come and that no one has begun.',
  retrying: 'Jobs that failed and will be tried again.',
  exhausted: 'Jobs that were tried too often and wait for an operator.',
} as const

const jobMetrics = ({ service, database }: Measured): Metric[] => {
  const read = sharedReading(() => countJobs(database.pool, service))
  return (['due', 'retrying', 'exhausted'] as const).map((state) => ({
    name: `rookery_jobs_${state}`,
    help: JOB_HELPS[state],
    kind: 'gauge',
    count: async () => (await read()).map((row) => ({ labels: { service, job: row.job }, value: row[state] })),
  }))
}

/** The lag of the bus's consumer groups. */
export const busMetrics = (bus: Bus): Metric[] => [
  {
    name: 'rookery_consumer_lag',
    help: 'Events on the bus that a group of consumers has not handled yet.',
    kind: 'gauge',
    count: async () => (await bus.lags()).map(({ group, lag }) => ({ labels: { group }, value: lag })),
  },
]

/** The metrics of a service's background work, from its database: outbox, dead letters, jobs. */
export const storedMetrics = (measured: Measured, has: { consumers: readonly { name: string }[]; jobs: readonly unknown[] }): Metric[] => [
  ...outboxMetrics(measured),
  ...deadLetterMetrics(
    measured,
    has.consumers.map(({ name }) => name),
  ),
  ...(has.jobs.length > 0 ? jobMetrics(measured) : []),
]

/** The connection pool of this process. */
export const poolMetrics = ({ service, database: { pool } }: Measured): Metric[] => [
  {
    name: 'rookery_database_connections',
    help: 'Connections to the database this process holds.',
    kind: 'gauge',
    count: () => [
      { labels: { service, state: 'in_use' }, value: pool.totalCount - pool.idleCount },
      { labels: { service, state: 'idle' }, value: pool.idleCount },
    ],
  },
  {
    name: 'rookery_database_waiting',
    help: 'Statements that wait for a connection.',
    kind: 'gauge',
    count: () => [{ labels: { service }, value: pool.waitingCount }],
  },
]

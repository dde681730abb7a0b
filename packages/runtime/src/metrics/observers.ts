import type { ConsumerObserver } from '@rookery/events'
import type { JobObserver } from '@rookery/jobs'
import type { CallMeter } from '@rookery/rpc'
import type { Registry } from 'prom-client'
import { createDurations } from './durations.ts'
import { registerMetrics } from './metric.ts'

/** Called for each request when its answer was sent, except streams. For metrics, so all values are from small sets. */
export type RequestObserver = (request: {
  readonly method: string
  /** The pattern of the path, or `other`. */
  readonly route: string
  /** The class of the status, as 2xx. */
  readonly status: string
  readonly seconds: number
}) => void

/** Observers for the metrics of a process's parts. */
export type Observers = {
  /** Calls that this process makes, and calls that it answers. */
  readonly made: CallMeter
  readonly answered: CallMeter
  readonly request: RequestObserver
  readonly consumer: ConsumerObserver
  readonly job: JobObserver
  /** Counts events that a service's relay published to the bus. */
  published(service: string, count: number): void
}

const callMeter = (registry: Registry, name: string, help: string): CallMeter => {
  const durations = createDurations(registry, { name, help, labels: ['method', 'code'] })
  return (path, code, seconds) => durations.observe([path, code], seconds)
}

/** A counter with one label from a small set. */
const tally = (registry: Registry, { name, help, label }: { name: string; help: string; label: string }) => {
  const counts = new Map<string, number>()
  registerMetrics(registry, [{ name, help, count: () => [...counts].map(([key, value]) => ({ labels: { [label]: key }, value })) }])
  return (key: string, count: number) => void counts.set(key, (counts.get(key) ?? 0) + count)
}

const consumerObserver = (registry: Registry): ConsumerObserver => {
  const handled = tally(registry, { name: 'rookery_consumer_handled_total', help: 'Events a consumer was done with.', label: 'consumer' })
  const failed = tally(registry, {
    name: 'rookery_consumer_failed_total',
    help: 'Times a consumer could not act on an event and tried again or gave up.',
    label: 'consumer',
  })
  const delays = createDurations(registry, {
    name: 'rookery_consumer_delay_seconds',
    help: 'From what happened to what a consumer made of it.',
    labels: ['consumer'],
  })
  return {
    handled(consumer, count, delaySeconds) {
      handled(consumer, count)
      delays.observe([consumer], delaySeconds)
    },
    failed: (consumer) => failed(consumer, 1),
  }
}

/** Creates the observers, which record in a registry. */
export const createObservers = (registry: Registry): Observers => {
  const requests = createDurations(registry, {
    name: 'rookery_http_request_duration_seconds',
    help: 'Requests of the public, streams excepted, by the pattern of their path.',
    labels: ['method', 'route', 'status'],
  })
  const jobs = createDurations(registry, {
    name: 'rookery_job_duration_seconds',
    help: 'Runs of due work; failed ones are tried again.',
    labels: ['service', 'job', 'outcome'],
  })
  return {
    made: callMeter(registry, 'rookery_rpc_client_duration_seconds', 'Calls this process made to services, by how they ended.'),
    answered: callMeter(registry, 'rookery_rpc_server_duration_seconds', 'Calls this process answered, by how they ended.'),
    request: ({ method, route, status, seconds }) => requests.observe([method, route, status], seconds),
    consumer: consumerObserver(registry),
    job: ({ service, job, hasFailed, seconds }) => jobs.observe([service, job, hasFailed ? 'failed' : 'done'], seconds),
    published: tally(registry, {
      name: 'rookery_relay_published_total',
      help: 'Events the relay handed from the outbox to the bus.',
      label: 'service',
    }),
  }
}

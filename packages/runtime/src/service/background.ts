import { createRelay, subscribeConsumers } from '@rookery/events'
import { kafkaBus } from '@rookery/events/kafka'
import { startWorker } from '@rookery/jobs'
import { once } from '../health.ts'
import { progressing, watchedBus } from '../liveness.ts'
import { busMetrics, relayMetrics, storedMetrics } from '../metrics/index.ts'
import { type Lifecycle, runProcess } from '../process.ts'
import { outboxCheck } from '../store-checks.ts'
import { tracedBus } from '../tracing/index.ts'
import { isServing, ownEnvironment, type Role } from './config.ts'
import type { AnyDeclaration } from './declaration.ts'
import { startLogger } from './log-settings.ts'
import { finishStart, type OpenService, openService, outboxChannel } from './open.ts'
import { groupsOf, type Share, shareOf } from './part.rules.ts'
import { kafkaOptions } from './store-settings.ts'

type Database = NonNullable<OpenService['database']>
type Bus = ReturnType<typeof kafkaBus>

/** Starts the relay of the service's outbox. */
const openRelay = (name: string, service: OpenService, { bus, lifecycle }: { bus: Bus; lifecycle: Lifecycle }) => {
  const { config, log, liveness, observers, tracing } = service
  const onError = (error: unknown) => log.warn({ err: error }, 'relaying the outbox failed')
  const onPublished = (count: number) => observers.published(name, count)
  const url = config.databaseUrl?.reveal() ?? ''
  const relay = lifecycle.add(
    'relay',
    createRelay({ url, bus: tracedBus(bus, tracing), listen: outboxChannel(name), onError, onPublished }),
  )
  liveness.follow('relay', relay.lastRound)
  service.checks['outbox'] = outboxCheck(relay)
  service.registerMetrics(relayMetrics({ service: name, relay }))
}

/** Starts the consumers. They join when the brokers are reachable; until then the process is not ready. */
const openConsumers = (
  service: OpenService,
  groups: ReadonlyMap<string, readonly Share['consumers'][number][]>,
  given: { bus: Bus; database: Database },
) => {
  const { log, liveness, observers, tracing } = service
  const bus = watchedBus(tracedBus(given.bus, tracing), liveness)
  for (const [group, consumers] of groups) {
    subscribeConsumers({ db: given.database.db, bus, group }, consumers, {
      observe: progressing(observers.consumer, liveness),
      onError: (error, consumer) => log.error({ err: error, consumer }, 'handling an event failed'),
    }).catch((error) => log.error({ err: error, group }, 'starting consumers failed'))
  }
}

/**
 * In a process that also serves requests, brokers that were reached once may become unreachable: it stays ready, and the outbox keeps the
 * events.
 */
const countOnce = ({ checks }: OpenService) => {
  for (const name of ['bus', 'outbox']) if (checks[name]) checks[name] = once(checks[name])
}

const openEvents = (
  { name, parts = {} }: AnyDeclaration,
  service: OpenService,
  { share, lifecycle }: { share: Share; lifecycle: Lifecycle },
) => {
  const { module, config, log, database, checks } = service
  if (!database || (!share.hasRelay && share.consumers.length === 0)) return
  const bus = kafkaBus({
    ...kafkaOptions(config.kafka),
    clientId: `${name}-background`,
    onError: (error, what) => log.warn({ err: error, what }, 'event bus error'),
  })
  lifecycle.add('bus', bus)
  checks['bus'] = () => bus.fault()
  if (share.hasRelay) openRelay(name, service, { bus, lifecycle })
  service.registerMetrics([...(share.hasRelay ? storedMetrics({ service: name, database }, module) : []), ...busMetrics(bus)])
  openConsumers(service, groupsOf(name, parts, share.consumers), { bus, database })
}

/** Starts the job workers. */
const openJobs = async (name: string, service: OpenService, { share, lifecycle }: { share: Share; lifecycle: Lifecycle }) => {
  const { config, log, liveness, observers } = service
  if (share.jobs.length === 0) return
  const worker = await startWorker({
    url: config.databaseUrl?.reveal() ?? '',
    service: name,
    jobs: share.jobs,
    ...(service.module.jobsAtOnce && { atOnce: service.module.jobsAtOnce }),
    observe: observers.job,
    onError: (error, job) => log.warn({ err: error, job }, 'job failed, will be retried'),
  })
  lifecycle.add('jobs', worker)
  liveness.follow('jobs', worker.lastSign)
}

/** Starts the background work of a service: relay, consumers and jobs; or a part of it (PART). */
export const openBackground = async (declared: AnyDeclaration, service: OpenService, lifecycle: Lifecycle, role: Role): Promise<void> => {
  const share = shareOf(service.module, declared.parts ?? {}, service.config.part)
  openEvents(declared, service, { share, lifecycle })
  if (isServing(role)) countOnce(service)
  await openJobs(declared.name, service, { share, lifecycle })
}

/** Runs the background process of a service, or a part of it. */
export const runBackground = (declared: AnyDeclaration): Promise<void> =>
  runProcess(startLogger(declared.name, ownEnvironment()), async (lifecycle) => {
    const service = await openService(declared, { role: 'background' }, lifecycle)
    lifecycle.onClose('module', () => service.module.close?.())
    await openBackground(declared, service, lifecycle, 'background')
    finishStart(service, {})
  })

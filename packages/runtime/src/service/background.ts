import { createRelay, subscribeConsumer } from '@rookery/events'
import { kafkaBus } from '@rookery/events/kafka'
import { startWorker } from '@rookery/jobs'
import { progressing, watchedBus } from '../liveness.ts'
import { createLogger } from '../logger.ts'
import { busFigures, storedFigures } from '../metrics/index.ts'
import { type Opened, runProcess } from '../process.ts'
import { tracedBus } from '../tracing/index.ts'
import type { AnyDeclaration } from './declaration.ts'
import { finishStart, type OpenService, openService, outboxChannel } from './open.ts'
import { readTls } from './store-settings.ts'

/** Reacts to facts and publishes its own. Consumers join when the brokers can be reached; until then the process is not ready. */
const openEvents = (name: string, service: OpenService, opened: Opened) => {
  const { module, config, log, database, checks, liveness, observers, tracing } = service
  if (!database) return
  const { brokers, partitions, tls, sasl } = config.kafka
  const bus = kafkaBus({
    brokers,
    partitions,
    ...(tls && { tls: readTls(tls) }),
    ...(sasl && { sasl: { ...sasl, password: sasl.password.reveal() } }),
    clientId: `${name}-background`,
    onError: (error, what) => log.warn({ err: error, what }, 'the bus had a fault'),
  })
  opened.add('bus', bus)
  checks['bus'] = () => bus.fault()
  const onError = (error: unknown) => log.warn({ err: error }, 'the outbox could not be emptied')
  const onPublished = (count: number) => observers.published(name, count)
  const url = config.databaseUrl?.reveal() ?? ''
  const relay = opened.add('relay', createRelay({ url, bus: tracedBus(bus, tracing), listen: outboxChannel(name), onError, onPublished }))
  liveness.follow('relay', relay.lastRound)
  service.show([...storedFigures({ service: name, database }, module), ...busFigures(bus)])
  for (const reaction of module.consumers) {
    subscribeConsumer({ db: database.db, bus: watchedBus(tracedBus(bus, tracing), liveness) }, reaction, {
      observe: progressing(observers.consumer, liveness),
      onError: (error, consumer) => log.error({ err: error, consumer }, 'a fact could not be acted on'),
    }).catch((error) => log.error({ err: error, consumer: reaction.name }, 'a consumer could not be started'))
  }
}

/** Does what is due. */
const openJobs = async (name: string, { module, config, log, liveness, observers }: OpenService, opened: Opened) => {
  if (module.jobs.length === 0) return
  const worker = await startWorker({
    url: config.databaseUrl?.reveal() ?? '',
    service: name,
    jobs: module.jobs,
    observe: observers.job,
    onError: (error, job) => log.warn({ err: error, job }, 'a job failed and will be tried again'),
  })
  opened.add('jobs', worker)
  liveness.follow('jobs', worker.lastSign)
}

/** Runs the half of a service that nobody waits for: its relay, its consumers, its jobs. */
export const runBackground = (declared: AnyDeclaration): Promise<void> =>
  runProcess(createLogger({ name: declared.name, level: 'warn' }), async (opened) => {
    const service = await openService(declared, { half: 'background' }, opened)
    opened.onClose('module', () => service.module.close?.())
    openEvents(declared.name, service, opened)
    await openJobs(declared.name, service, opened)
    finishStart(service, {})
  })

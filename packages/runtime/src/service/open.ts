import { awaitDatabase, type Database, type MigrationPhase, migrate, openDatabase, registerCode } from '@rookery/database'
import { type Ephemeral, memoryEphemeral } from '@rookery/ephemeral'
import { redisEphemeral } from '@rookery/ephemeral/redis'
import { createOutbox, type EventTables, eventMigrations, notifyRelay } from '@rookery/events'
import { snowflakes } from '@rookery/ids'
import { migrateJobs } from '@rookery/jobs'
import { type Connection, connect, type Definition, openConnection, PATIENT } from '@rookery/rpc'
import { systemClock } from '../clock.ts'
import { readTogether } from '../environment.ts'
import { type Checks, once, serveHealth } from '../health.ts'
import { createLiveness, type Liveness } from '../liveness.ts'
import { createLogger, type Logger } from '../logger.ts'
import { countedLive, createMetrics, createObservers, type Metric, type Observers, poolMetrics, registerMetrics } from '../metrics/index.ts'
import type { ServiceModule, ServiceSchema } from '../module.ts'
import type { Lifecycle } from '../process.ts'
import { databaseCheck, writesCheck } from '../store-checks.ts'
import { openTracing, type Tracing, tracedClient, tracedLive } from '../tracing/index.ts'
import { unknownSettings } from '../unknown-settings.rules.ts'
import { isServing, ownEnvironment, type Role, readServiceConfig, type ServiceConfig } from './config.ts'
import type { AnyDeclaration, ServiceDeps } from './declaration.ts'
import { readTls } from './store-settings.ts'

/** A service opened in this process: its module and its resources. */
export type OpenService = {
  readonly module: ServiceModule
  readonly config: ServiceConfig
  readonly log: Logger
  readonly database: Database<EventTables> | undefined
  /** Readiness checks; more may be added. */
  readonly checks: Checks
  /** Checks that do not affect readiness. */
  readonly degraded: Checks
  readonly liveness: Liveness
  /** The observers of the process's parts. */
  readonly observers: Observers
  readonly tracing: Tracing | undefined
  /** Registers more metrics, each name once. */
  registerMetrics(metrics: readonly Metric[]): void
}

/** The channel of NOTIFY that wakes the relay. */
export const outboxChannel = (service: string): string => `${service}_outbox`

type Stored = { config: ServiceConfig; tracing: Tracing | undefined; log: Logger; lifecycle: Lifecycle; phase: MigrationPhase | undefined }

/**
 * Migrates the schema, as far as running code allows; replicas that start together wait for each other. A process that stays registers its
 * code, so that no migration removes what it needs; one that was started for a phase of the migration ends.
 */
const bringUpToDate = async (schema: ServiceSchema, database: Database<EventTables>, { log, lifecycle, phase }: Stored) => {
  const sets = [eventMigrations, schema.migrations]
  if (!phase) {
    const onError = (error: unknown) => log.warn({ err: error }, 'registering the running code in the database failed')
    lifecycle.add('announcement', await registerCode(database.db, sets, { onError }))
  }
  const left: string[] = []
  for (const set of sets) left.push(...(await migrate(database.db, set, { phase: phase ?? 'start' })))
  if (left.length > 0 && phase !== 'expand') log.warn({ left }, 'contract migrations are postponed: older code is still running')
}

/** Opens the schema and migrates it. Waits for a database that is still starting or being prepared, or whose name does not resolve yet. */
const openSchema = async (schema: ServiceSchema, given: Stored) => {
  const { config, tracing, log, lifecycle } = given
  const url = config.databaseUrl?.reveal() ?? ''
  const database = openDatabase<EventTables>({
    url,
    connections: config.connections,
    minConnections: Math.ceil(config.connections / 2),
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  })
  lifecycle.add('database', database)
  await awaitDatabase(url, { onWait: (error) => log.warn({ err: error }, 'waiting for the database') })
  await bringUpToDate(schema, database, given)
  if (!given.phase) await database.warm()
  const wake = notifyRelay({ pool: database.pool, channel: outboxChannel(schema.name) })
  return {
    database,
    outbox: createOutbox({ topic: `${schema.name}.v1`, now: systemClock.now, wake, ...(tracing && { currentTrace: tracing.current }) }),
  }
}

/** The service that decodes pictures, in child processes. */
const DECODES = 'media'

type Clients = { config: ServiceConfig; observers: Observers; tracing: Tracing | undefined; checks: Checks; lifecycle: Lifecycle }

/**
 * Clients of other services, with one connection to each. The check of a service that was reached once stays passed: while it is
 * unreachable, only requests that need it fail.
 */
const openClients = ({ config, observers, tracing, checks, lifecycle }: Clients) => {
  const connections = new Map<string, Connection>()
  return <D extends Definition>(service: string, definition: D) => {
    const address = config.addressOf.get(service)
    if (!address) throw new Error(`The service ${service} is not among the declared calls.`)
    const options = { meter: observers.made, credentials: config.credentials, ...(service === DECODES && { timeouts: PATIENT }) }
    const connection = connections.get(service) ?? lifecycle.add(`calls to ${service}`, openConnection(address, options))
    if (!connections.has(service)) checks[service] = once(connection.fault)
    connections.set(service, connection)
    return tracedClient(definition, connect(definition, connection), tracing)
  }
}

type Watched = Pick<OpenService, 'config' | 'checks' | 'degraded' | 'liveness' | 'log'> & { registry: ReturnType<typeof createMetrics> }

/** Starts to answer probes and scrapes. Until `finishStart` it is not ready. */
const openHealth = async (
  { config, checks, degraded, liveness, log, registry }: Watched,
  role: Role,
  lifecycle: Lifecycle,
): Promise<void> => {
  const { healthPort: port, host } = config
  const health = await serveHealth({
    port,
    host,
    checks,
    degraded,
    liveness: liveness.checks,
    metrics: registry,
    onError: (error) => log.error({ err: error }, 'unhandled error in health check'),
  })
  lifecycle.add('health', health)
  lifecycle.drainFor(isServing(role) ? config.drainSeconds * 1000 : 0, () => {
    checks['stop'] = () => 'the process is stopping'
  })
  checks['start'] = () => 'the start is not finished'
}

/**
 * Redis, or memory in a process that needs none. A serving process continues without Redis; a background process is not ready without it.
 */
const openEphemeral = (
  { config, checks, log }: Pick<OpenService, 'config' | 'checks' | 'log'>,
  { role, needsRedis }: { role: Role; needsRedis: boolean },
): Ephemeral => {
  const { now } = systemClock
  if (role === 'migrate' || !needsRedis) return memoryEphemeral(now)
  const onError = (error: unknown) => log.error({ err: error }, 'decoding a live message failed')
  const onFault = (fault: string) => log.warn({ fault }, 'Redis is unavailable')
  const ephemeral = redisEphemeral({ url: config.redis.url.reveal(), tls: readTls(config.redis.tls), now, onError, onFault })
  checks['redis'] = isServing(role) ? once(ephemeral.live.fault) : ephemeral.live.fault
  return ephemeral
}

/**
 * Opens all resources of a declared service, with real stores and remote clients, and creates its module. With a phase it is opened only to
 * migrate. @throws ConfigurationError, MigrationRefused
 */
export const openService = async (
  declared: AnyDeclaration,
  { role, phase }: { role: Role; phase?: MigrationPhase },
  lifecycle: Lifecycle,
): Promise<OpenService> => {
  const { own: config, module: moduleConfig } = readTogether(
    {
      own: (environment) => readServiceConfig({ ...declared, hasDatabase: declared.schema !== undefined }, environment),
      module: (environment) => declared.readConfig(environment) as unknown,
    },
    ownEnvironment(),
  )
  const log = createLogger({ name: `${declared.name}-${role}`, ...config.log })
  if (!phase) for (const sentence of unknownSettings(ownEnvironment())) log.warn(sentence)
  const tracing = await openTracing(config.tracing, `${declared.name}-${role}`)
  if (tracing) lifecycle.add('tracing', tracing)
  const checks: Checks = {}
  const degraded: Checks = {}
  const registry = createMetrics()
  const observers = createObservers(registry)
  const liveness = lifecycle.add('liveness', createLiveness({ timeoutMilliseconds: config.liveSeconds * 1000 }))
  await openHealth({ config, checks, degraded, liveness, log, registry }, role, lifecycle)

  const stored = declared.schema && (await openSchema(declared.schema, { config, tracing, log, lifecycle, phase }))
  if (stored) {
    await declared.admit?.({ config: moduleConfig, database: stored.database, log, isStaying: phase === undefined })
    checks['database'] = databaseCheck(stored.database)
    degraded['writes'] = writesCheck(stored.database)
  }
  const needsRedis = declared.needsRedis ?? true
  const ephemeral = lifecycle.add('redis', openEphemeral({ config, checks, log }, { role, needsRedis }))
  const counted = countedLive(tracedLive(ephemeral.live, tracing))
  const given: ServiceDeps<unknown> = {
    ...ephemeral,
    live: counted.live,
    config: moduleConfig,
    clock: systemClock,
    ids: snowflakes(systemClock.now),
    log,
    dataDir: config.dataDir,
    client: openClients({ config, observers, tracing, checks, lifecycle }),
  }
  const module = declared.create({ ...given, ...stored } as never)
  if (module.jobs.length > 0) await migrateJobs(config.databaseUrl?.reveal() ?? '', declared.name)
  Object.assign(checks, module.checks)
  const metrics = stored ? poolMetrics({ service: declared.name, database: stored.database }) : []
  const register = (more: readonly Metric[]) => registerMetrics(registry, more)
  register([...metrics, ...counted.metrics, ...(module.metrics ?? [])])
  return { module, config, log, database: stored?.database, checks, degraded, liveness, observers, tracing, registerMetrics: register }
}

/** Marks the start as finished. */
export const finishStart = ({ checks, log, module }: OpenService, listening: object): void => {
  delete checks['start']
  for (const note of module.notes ?? []) log.info(note)
  log.info(listening, 'started')
}

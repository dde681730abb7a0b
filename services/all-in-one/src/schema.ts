import { type Database, migrate, openDatabase } from '@rookery/database'
import {
  type Bus,
  createOutbox,
  createRelay,
  type EventTables,
  eventMigrations,
  type Outbox,
  type Relay,
  subscribeConsumers,
} from '@rookery/events'
import { migrateJobs, startWorker, type Worker } from '@rookery/jobs'
import {
  type Clock,
  type Liveness,
  type Logger,
  type Observers,
  progressing,
  type ServiceModule,
  type ServiceSchema,
  type Tracing,
} from '@rookery/runtime'

/** The resources of a service with a schema: its database, its outbox and the relay. */
export type OpenedSchema<Tables extends EventTables> = {
  readonly name: string
  readonly url: string
  readonly database: Database<Tables>
  readonly outbox: Outbox
  readonly relay: Relay
}

/** The observers and the liveness checks of the parts. */
export type Watch = { readonly observers: Observers; readonly liveness: Liveness }

type SchemaDeps<Tables> = {
  url: string
  bus: Bus
  clock: Clock
  log: Logger
  connections: number
  isOnlyWriter: boolean
  watch: Watch | undefined
  tracing: Tracing | undefined
  onStatement: ((text: string) => void) | undefined
  /** Checks stored data before anything uses it. */
  admit?(database: Database<Tables>): Promise<void> | undefined
}

/** Migrates a service's schema; that of its jobs is migrated where they are started. */
export const migrateSchema = async <Tables>({ migrations }: ServiceSchema, db: Database<Tables>['db']): Promise<void> => {
  await migrate(db, eventMigrations)
  await migrate(db, migrations)
}

/** Opens a service's schema and migrates it. */
export const openSchema = async <Tables extends EventTables>(
  schema: ServiceSchema,
  deps: SchemaDeps<Tables>,
): Promise<OpenedSchema<Tables>> => {
  const { name } = schema
  const log = deps.log.child({ service: name })
  const database = openDatabase<Tables>({
    url: deps.url,
    connections: deps.connections,
    isOnlyWriter: deps.isOnlyWriter,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    ...(deps.onStatement ? { onStatement: deps.onStatement } : {}),
  })
  await migrateSchema(schema, database.db)
  await deps.admit?.(database)
  const relay = createRelay({
    url: deps.url,
    bus: deps.bus,
    onError: (error) => log.warn({ err: error }, 'relaying the outbox failed'),
    onPublished: (count) => deps.watch?.observers.published(name, count),
  })
  deps.watch?.liveness.follow(`relay of ${name}`, relay.lastRound)
  const outbox = createOutbox({
    topic: `${name}.v1`,
    now: deps.clock.now,
    wake: relay.wake,
    ...(deps.tracing && { currentTrace: deps.tracing.current }),
  })
  return { name, url: deps.url, database, outbox, relay }
}

/** Subscribes a module's consumers and starts its jobs; with `isWorking` false jobs wait for `runDue`. */
export const startBackground = async <Tables extends EventTables>(
  schema: OpenedSchema<Tables>,
  module: ServiceModule,
  given: { bus: Bus; log: Logger; isWorking: boolean; watch: Watch | undefined },
): Promise<Worker | undefined> => {
  const log = given.log.child({ service: schema.name })
  await subscribeConsumers({ db: schema.database.db, bus: given.bus, group: schema.name }, module.consumers, {
    ...(given.watch ? { observe: progressing(given.watch.observers.consumer, given.watch.liveness) } : {}),
    onError: (error, consumer) => log.error({ err: error, consumer }, 'handling an event failed'),
  })
  if (module.jobs.length === 0) return undefined
  await migrateJobs(schema.url, schema.name)
  const worker = await startWorker({
    url: schema.url,
    service: schema.name,
    jobs: module.jobs,
    ...(module.jobsAtOnce && { atOnce: module.jobsAtOnce }),
    isRunning: given.isWorking,
    ...(given.watch ? { observe: given.watch.observers.job } : {}),
    onError: (error, job) => log.warn({ err: error, job }, 'job failed, will be retried'),
  })
  given.watch?.liveness.follow(`jobs of ${schema.name}`, worker.lastSign)
  return worker
}

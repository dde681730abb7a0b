import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { awaitDatabase, type Database, prepareDatabase, roleOf } from '@rookery/database'
import { type Ephemeral, memoryEphemeral } from '@rookery/ephemeral'
import { type Bus, type EventTables, inProcessBus } from '@rookery/events'
import { snowflakes } from '@rookery/ids'
import { type CallObserver, type Definition, type Handler, link } from '@rookery/rpc'
import {
  busMetrics,
  type Checks,
  type Clock,
  callFaults,
  countedLive,
  databaseCheck,
  diagnosticsHandler,
  failedWorkHandlers,
  type Logger,
  type Metric,
  operatorHandlers,
  outboxCheck,
  type PasswordCost,
  poolMetrics,
  relayMetrics,
  type ServiceModule,
  storedMetrics,
  type Tracing,
  tracedBus,
  tracedClient,
  tracedHttp,
  tracedLive,
  watchedBus,
  writesCheck,
} from '@rookery/runtime'
import type { AnyDeclaration } from '@rookery/runtime/service'
import type { MayConnect, Resolve } from '@rookery/ssrf-safe-fetch'
import { createPublicRouter } from './public-router.ts'
import { type OpenedSchema, openSchema, startBackground, type Watch } from './schema.ts'
import { DECLARATIONS, type RookeryConfig, SCHEMAS } from './services.ts'

type ComposeDeps = {
  /** The URL of the database for a role; the administrator's role is postgres. */
  urlOf(role: string): string
  /** The folder for files. */
  dataDir: string
  config: RookeryConfig
  clock: Clock
  log: Logger
  /** Passes every call through its codecs, so that tests cover both transports alike. */
  isWired?: boolean
  /** False if another process writes the same database: then reads are not cached. */
  isOnlyWriter?: boolean
  /** False in tests: jobs then wait for `runJobs`. */
  isWorking?: boolean
  /** Which external addresses may be connected to; by default those of the public internet. */
  mayConnect?: MayConnect
  /** The cost of hashing a password; the recommended one by default. */
  passwordCost?: PasswordCost
  /** Resolves names of other servers; by default with DNS. */
  resolve?: Resolve
  observeCall?: CallObserver
  observeStatement?: (text: string) => void
  /** Metrics of the services' work, and liveness checks. */
  watch?: Watch
  /** Tracing of requests; none by default. */
  tracing?: Tracing
}

/** The whole server in one process. */
export type Rookery = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
  /** The calls that services offer each other. */
  readonly rpc: readonly Handler[]
  /** The calls of the operator's command. */
  readonly operator: readonly Handler[]
  readonly checks: Checks
  /** Checks that do not affect readiness. */
  readonly degraded: Checks
  /** The metrics of modules, stores and jobs. */
  readonly metrics: readonly Metric[]
  /** Notes for the operator at the start. */
  readonly notes: readonly string[]
  readonly ephemeral: Ephemeral
  /** Resolves when every event has been handled, with all its consequences. */
  idle(): Promise<void>
  /** Runs the jobs that are due. Returns whether any was. */
  runJobs(): Promise<boolean>
  /** Closes open streams; the public listener cannot close before they have. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

/** A service of this process: its declaration, its module, and its schema if it has one. */
type Running = { declared: AnyDeclaration; module: ServiceModule; stored: OpenedSchema<EventTables> | undefined }

/** A service that has a schema. */
type WithSchema = { module: ServiceModule; stored: OpenedSchema<EventTables> }

/** Opens the schemas of all services concurrently. */
const openSchemas = async (deps: ComposeDeps, bus: ReturnType<typeof inProcessBus>) => {
  const { clock, log, watch, tracing } = deps
  const opened = DECLARATIONS.map(async (declared) => {
    if (!declared.schema) return []
    const url = deps.urlOf(declared.name)
    const { schema, connections } = declared
    const isOnlyWriter = deps.isOnlyWriter ?? true
    const onStatement = deps.observeStatement
    const admit = (database: Database<EventTables>) =>
      declared.admit?.({ config: deps.config[declared.name as keyof RookeryConfig], database, log, isStaying: true })
    const given = { url, bus, clock, log, watch, tracing, connections, isOnlyWriter, onStatement, admit }
    return [await openSchema<EventTables>(schema, given)]
  })
  return new Map((await Promise.all(opened)).flat().map((stored) => [stored.name, stored]))
}

const withWork = ({ name: service, database }: OpenedSchema<EventTables>, { consumers, jobs }: ServiceModule) => ({
  service,
  database,
  consumers,
  hasJobs: jobs.length > 0,
})

/** In-process clients for a service, of those it declares to call. */
const clientsOf = (
  deps: ComposeDeps,
  declared: AnyDeclaration,
  { modules, onFault }: { modules: ReadonlyMap<string, Running>; onFault: (path: string, error: unknown) => void },
) => {
  const { watch } = deps
  return <D extends Definition>(service: string, definition: D) => {
    if (!declared.calls.includes(service)) throw new Error(`${declared.name} does not declare that it calls ${service}`)
    const served = modules.get(service)?.module.rpc.find((handler) => handler.definition.fullName === definition.fullName)
    if (!served) throw new Error(`${service} does not serve ${definition.fullName}`)
    const client = link(definition, served, {
      wire: deps.isWired ?? false,
      ...(deps.observeCall ? { observe: deps.observeCall } : {}),
      ...(watch ? { meter: watch.observers.made } : {}),
      onFault,
    })
    return tracedClient(definition, client, deps.tracing)
  }
}

/** Checks that a service's schema is usable, and its events are relayed. */
const storeChecks = ({ name, database, relay }: OpenedSchema<EventTables>): Checks => ({
  [`database of ${name}`]: databaseCheck(database),
  [`outbox of ${name}`]: outboxCheck(relay),
})

/** Creates the module of every declared service, each with clients of those before it. */
const createModules = (deps: ComposeDeps, ephemeral: Ephemeral, schemas: ReadonlyMap<string, OpenedSchema<EventTables>>) => {
  const { clock, log, dataDir, mayConnect, passwordCost, resolve } = deps
  const shared = {
    ...ephemeral,
    clock,
    ids: snowflakes(clock.now),
    log,
    dataDir,
    ...(mayConnect && { mayConnect }),
    ...(passwordCost && { passwordCost }),
    ...(resolve && { resolve }),
  }
  const running = new Map<string, Running>()
  const onFault = callFaults(log)
  for (const declared of DECLARATIONS) {
    const { name } = declared
    const stored = schemas.get(name)
    const own = { config: deps.config[name as keyof RookeryConfig], client: clientsOf(deps, declared, { modules: running, onFault }) }
    const module = declared.create({ ...shared, ...own, ...stored } as never)
    const rpc = stored ? [...module.rpc, ...failedWorkHandlers([withWork(stored, module)])] : module.rpc
    running.set(name, { declared, stored, module: { ...module, rpc } })
  }
  return running
}

/** The metrics of a service with a schema. */
const storeMetrics = ({ stored: { name, database, relay }, module }: WithSchema) => [
  ...poolMetrics({ service: name, database }),
  ...storedMetrics({ service: name, database }, module),
  ...relayMetrics({ service: name, relay }),
]

/** The in-process bus, with liveness checks and tracing if configured. */
const openBus = ({ watch, tracing }: ComposeDeps) => {
  const bus = tracedBus(inProcessBus(), tracing)
  return watch ? watchedBus(bus, watch.liveness) : bus
}

/** The ephemeral ports in memory, with metrics of live messages. */
const openEphemeral = ({ clock, tracing }: ComposeDeps) => {
  const memory = memoryEphemeral(clock.now)
  const { live, metrics } = countedLive(tracedLive(memory.live, tracing))
  return { ephemeral: { ...memory, live }, metrics }
}

/** The operator's calls for diagnostics. */
const diagnose = (
  { log, baseUrl }: { log: Logger; baseUrl: string | undefined },
  modules: readonly ServiceModule[],
  withSchema: readonly WithSchema[],
) => {
  const stores = withSchema.map(({ stored }) => storeChecks(stored))
  const checks: Checks = Object.assign({}, ...modules.map((module) => module.checks ?? {}), ...stores)
  const degraded: Checks = Object.fromEntries(withSchema.map(({ stored }) => [`writes of ${stored.name}`, writesCheck(stored.database)]))
  const notes = modules.flatMap((module) => module.notes ?? [])
  const diagnostics = diagnosticsHandler({
    baseUrl,
    checks,
    degraded,
    notes,
    warnings: modules.flatMap((module) => module.warnings ?? []),
    log,
    stores: withSchema.map(({ stored, module }) => ({ service: stored.name, database: stored.database, hasJobs: module.jobs.length > 0 })),
  })
  return { checks, degraded, notes, diagnostics }
}

/** Closes open streams once, however often it is called. */
const endingStreams = (streaming: ServiceModule) => {
  let end: Promise<void> | undefined
  return () => {
    end ??= streaming.close?.() ?? Promise.resolve()
    return end
  }
}

/** Functions that wait for events and jobs, or stop them, in the order of their dependencies. */
const lifecycleOf = (given: {
  modules: readonly ServiceModule[]
  streaming: ServiceModule
  workers: readonly Awaited<ReturnType<typeof startBackground>>[]
  stores: readonly OpenedSchema<EventTables>[]
  bus: Bus
  ephemeral: Ephemeral
}): Pick<Rookery, 'idle' | 'runJobs' | 'endStreams' | 'close'> => {
  const { modules, streaming, workers, stores, bus, ephemeral } = given
  const endStreams = endingStreams(streaming)
  return {
    endStreams,
    async idle() {
      const busy = () => stores.filter(({ relay }) => !relay.isIdle())
      for (let some = busy(); some.length > 0; some = busy()) await Promise.all(some.map(({ relay }) => relay.drain()))
    },
    async runJobs() {
      let haveRun = false
      for (const worker of workers) if (await worker?.runDue()) haveRun = true
      return haveRun
    },
    async close() {
      await endStreams()
      for (const module of modules.toReversed()) if (module !== streaming) await module.close?.()
      for (const worker of workers) await worker?.close()
      for (const { relay } of stores) await relay.close()
      await bus.close()
      for (const { database } of stores) await database.close()
      await ephemeral.close()
    },
  }
}

/**
 * Creates the module of every declared service, each with clients of those before it: in-process links, an in-process bus and memory for
 * ephemeral data. The roles, schemas and migrations are those of the separate services.
 */
export const compose = async (deps: ComposeDeps): Promise<Rookery> => {
  const { log, watch, tracing } = deps
  const roles = SCHEMAS.map(({ name }) => roleOf(deps.urlOf(name)))
  await awaitDatabase(deps.urlOf('postgres'), { onWait: (error) => log.warn({ err: error }, 'waiting for the database') })
  await prepareDatabase(deps.urlOf('postgres'), roles)
  const bus = openBus(deps)
  const { ephemeral, metrics } = openEphemeral(deps)
  const running = createModules(deps, ephemeral, await openSchemas(deps, bus))
  const all = [...running.values()]
  const modules = all.map(({ module }) => module)
  const withSchema = all.flatMap(({ module, stored }) => (stored ? [{ module, stored }] : []))
  const stores = withSchema.map(({ stored }) => stored)
  const given = { bus, log, isWorking: deps.isWorking ?? true, watch }
  const workers = await Promise.all(withSchema.map(({ stored, module }) => startBackground(stored, module, given)))
  const upkeep = failedWorkHandlers(withSchema.map(({ stored, module }) => withWork(stored, module)))
  const moduleOf = (name: string) => running.get(name)!.module
  const [streaming, gateway] = [moduleOf('streaming'), moduleOf('gateway')]
  const [auth, federation, media] = [moduleOf('auth'), moduleOf('federation'), moduleOf('media')]
  const router = createPublicRouter({ auth, federation, media, streaming, gateway })
  const { checks, degraded, notes, diagnostics } = diagnose({ log, baseUrl: gateway.baseUrl }, modules, withSchema)
  return {
    answer: tracedHttp(router.answer, tracing),
    upgrade: router.upgrade,
    rpc: modules.flatMap((module) => module.rpc),
    operator: operatorHandlers([...modules.flatMap((module) => module.operator ?? []), ...upkeep, diagnostics]),
    ...{ checks, degraded, notes, ephemeral },
    metrics: [...modules.flatMap((module) => module.metrics ?? []), ...withSchema.flatMap(storeMetrics), ...busMetrics(bus), ...metrics],
    ...lifecycleOf({ modules, streaming, workers, stores, bus, ephemeral }),
  }
}

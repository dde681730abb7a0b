import { resolve } from 'node:path'
import { freePorts, type TestStore } from '@rookery/test-stores'
import { createLogger, type Lifecycle, type Logger, runProcess, serveHttp } from '../packages/runtime/src/index.ts'
import { createPublicRouter } from '../services/all-in-one/src/public-router.ts'
import { type LocalConfig, readLocalConfig } from './services/config.ts'
import { remoteModule } from './services/dev-proxy.ts'
import { type Apart, type Ports, plan, portsOf, type Replicas, type Roles, SERVICES, type ServiceName } from './services/plan.ts'
import { readyPorts } from './services/ready-ports.ts'
import { type Between, openStores } from './services/stores.ts'
import { type Supervised, supervise } from './services/supervised.ts'

/** The seven services, each in its own processes on this machine. */
export type LocalServices = {
  /** The public port. */
  readonly port: number
  /** By name: statuses-serve, statuses-background; or statuses-whole. */
  readonly processes: ReadonlyMap<string, Supervised>
  /** The ports of each service's serving processes. */
  readonly ports: ReadonlyMap<ServiceName, readonly Ports[]>
  readonly redis: TestStore
  readonly kafka: TestStore
  /** The database URL for a role. */
  urlOf(role: string): string
}

/** Starts stores, services and the proxy in front, service by service in the order of their calls. */
export const startServices = async (
  given: {
    config: LocalConfig
    log: Logger
    print: (line: string) => void
    replicas?: Replicas
    apart?: Apart
    roles?: Roles
    between?: Between
  },
  lifecycle: Lifecycle,
): Promise<LocalServices> => {
  const config = { ...given.config, dataDir: resolve(given.config.dataDir) }
  const root = resolve(import.meta.dirname, '..')
  const { between = {} } = given
  const stores = await openStores(config, lifecycle, given.log, between)
  const found = between.through ? await between.through(stores) : stores
  const { replicas = {}, apart = {}, roles = 'apart' } = given
  const { processes, ports } = plan({ root, config, stores: found, replicas, apart, roles, firstPort: await freePorts(portsOf(replicas)) })
  const running = new Map<string, Supervised>()
  const stopAll = () => Promise.all([...running.values()].map((process) => process.stop()))
  lifecycle.onClose('services', stopAll)
  for (const service of SERVICES) {
    const roles = processes.filter((process) => process.service === service).map((process) => supervise({ ...process, print: given.print }))
    for (const role of roles) running.set(role.name, role)
    await Promise.all(roles.map((role) => role.ready()))
  }
  const remote = (service: 'auth' | 'federation' | 'media' | 'streaming' | 'gateway') =>
    remoteModule(
      readyPorts(
        ports.get(service)!.map(({ http, health }) => ({ port: http, healthPort: health })),
        lifecycle,
      ),
    )
  const router = createPublicRouter({
    auth: remote('auth'),
    federation: remote('federation'),
    media: remote('media'),
    streaming: remote('streaming'),
    gateway: remote('gateway'),
  })
  // Its streams end with those of the services.
  const onError = (error: unknown) => given.log.error({ err: error }, 'unhandled error in request')
  const web = lifecycle.add(
    'front',
    await serveHttp({ http: router.answer, upgrade: router.upgrade, endStreams: stopAll, onError }, config),
  )
  return { port: web.port, processes: running, ports, redis: stores.redis, kafka: stores.kafka, urlOf: stores.urlOf }
}

/** Video processing has its own process, as in production: each video uses all spare processor time for minutes. */
export const APART: Apart = { media: ['motion'] }

const greeting = (baseUrl: string, count: number) => `Rookery listens on ${baseUrl}: ${SERVICES.length} services in ${count} processes
  First account   npm run rookery -- accounts create NAME --email ADDRESS --role owner --confirmed
  Stop            Ctrl+C; everything is kept`

/** `npm run services`. */
export const runServices = (): Promise<void> => {
  const log = createLogger({ name: 'services', level: 'warn' })
  return runProcess(log, async (lifecycle) => {
    const config = readLocalConfig(process.env)
    const { processes } = await startServices({ config, log, print: console.log, apart: APART }, lifecycle)
    console.log(greeting(config.baseUrl, processes.size))
  })
}

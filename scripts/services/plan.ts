import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalConfig } from './config.ts'

/** The services in the order of their calls: each calls only those before it. */
export const SERVICES = ['media', 'statuses', 'federation', 'notifications', 'auth', 'streaming', 'gateway'] as const
export type ServiceName = (typeof SERVICES)[number]

/** The services with a schema. */
export const STORED: readonly ServiceName[] = ['media', 'statuses', 'federation', 'notifications', 'auth']

type Environment = Record<string, string | undefined>

/** A process to run: a role of a service, or all of it. */
type Planned = {
  name: string
  service: ServiceName
  file: string
  healthPort: number
  environment: Environment
}

/** The ports of a service's serving process. */
export type Ports = { rpc: number; http: number; health: number }

/** Parts of a service's background work with a process of their own. */
export type Apart = Partial<Record<ServiceName, readonly string[]>>

/** Whether the roles of a service are separate processes, or one (roles in the chart's values). */
export type Roles = 'apart' | 'together'

/** The number of serving processes of a service, if several. */
export type Replicas = Partial<Record<ServiceName, number>>

export type Stores = { urlOf(role: string): string; redisUrl: string; kafkaAddress: string }

/** How many ports `plan` needs: two per serving process, and one for the health of each process, with room for two parts. */
export const portsOf = (replicas: Replicas): number => SERVICES.reduce((sum, service) => sum + PORTS_EACH * (replicas[service] ?? 1), 0)

const PORTS_EACH = 6

/** Few enough that all processes, their relays and their jobs stay below Postgres's 100 connections, even while replaced ones end. */
const CONNECTIONS = '5'

const upper = (name: string) => name.toUpperCase()

const addressOf = (places: readonly Ports[]) => {
  const addresses = places.map(({ rpc }) => `127.0.0.1:${rpc}`).join()
  return places.length > 1 ? `ipv4:${addresses}` : addresses
}

/** The ports of every serving process, from the first one on. */
const placesFrom = (firstPort: number, replicas: Replicas): Map<ServiceName, Ports[]> => {
  let next = firstPort
  return new Map(
    SERVICES.map((service) => {
      const places = Array.from({ length: replicas[service] ?? 1 }, (_, index) => next + index * PORTS_EACH)
      next += places.length * PORTS_EACH
      return [service, places.map((first) => ({ rpc: first, http: first + 1, health: first + 2 }))] as const
    }),
  )
}

/** The environment of all processes. */
const sharedEnvironment = (root: string, config: LocalConfig, stores: Stores, ports: ReadonlyMap<ServiceName, Ports[]>): Environment => ({
  LOG_LEVEL: 'warn',
  // Their lines are printed on this terminal, if it is one.
  LOG_FORMAT: process.stdout.isTTY ? 'text' : 'json',
  // Known only to these processes, and different at each start.
  RPC_KEY: randomBytes(32).toString('base64url'),
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  // The proxy on this machine is the only way in.
  TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
  ...config.environment,
  HOST: '127.0.0.1',
  BASE_URL: config.baseUrl,
  DATA_DIR: config.dataDir,
  DATABASE_URL: undefined,
  DATABASE_CONNECTIONS: CONNECTIONS,
  REDIS_URL: stores.redisUrl,
  KAFKA_BROKERS: stores.kafkaAddress,
  ...Object.fromEntries([...ports].map(([service, places]) => [`${upper(service)}_ADDRESS`, addressOf(places)])),
})

/** The ports of the services, and the processes to run. */
export const plan = (given: {
  root: string
  config: LocalConfig
  stores: Stores
  firstPort: number
  replicas: Replicas
  apart: Apart
  roles?: Roles
}): { processes: Planned[]; ports: Map<ServiceName, Ports[]> } => {
  const { root, config, stores, replicas, apart, roles = 'apart' } = given
  const ports = placesFrom(given.firstPort, replicas)
  const shared = sharedEnvironment(root, config, stores, ports)

  const processOf = (service: ServiceName, role: 'serve' | 'background' | 'whole', index: number, place: Ports): Planned[] => {
    const file = join(root, 'services', service, 'src', `${role}.ts`)
    if (!existsSync(file)) return []
    const healthPort = role === 'background' ? place.health + 1 : place.health
    const own = { PORT: undefined, HEALTH_PORT: String(healthPort), RPC_PORT: String(place.rpc), HTTP_PORT: String(place.http) }
    const database = STORED.includes(service) ? { [`${upper(service)}_DATABASE_URL`]: stores.urlOf(service) } : {}
    // Each has the socket of the operator's command in its own folder.
    const folder = index > 0 ? { DATA_DIR: join(config.dataDir, `replica-${index + 1}`) } : {}
    const name = `${service}-${role}${index > 0 ? `-${index + 1}` : ''}`
    return [{ name, service, file, healthPort, environment: { ...shared, ...own, ...database, ...folder } }]
  }
  const partOf = (service: ServiceName, part: string, place: Ports, more: number) =>
    processOf(service, 'background', 0, place).map((process) => {
      const healthPort = process.healthPort + more
      const environment = { ...process.environment, PART: part, HEALTH_PORT: String(healthPort) }
      return { ...process, name: part === 'rest' ? process.name : `${service}-${part}`, healthPort, environment }
    })
  const backgroundOf = (service: ServiceName, place: Ports): Planned[] => {
    const parts = apart[service] ?? []
    if (parts.length === 0) return processOf(service, 'background', 0, place)
    return ['rest', ...parts].flatMap((part, index) => partOf(service, part, place, index))
  }
  /** One process for all roles, and one for each separate part. None if a service has no background work. */
  const wholeOf = (service: ServiceName, place: Ports, index: number): Planned[] => {
    const parts = apart[service] ?? []
    const rest = parts.length > 0 ? { PART: 'rest' } : {}
    const whole = processOf(service, 'whole', index, place).map((process) => ({
      ...process,
      environment: { ...process.environment, ...rest },
    }))
    return [...whole, ...(index === 0 ? parts.flatMap((part, at) => partOf(service, part, place, at + 1)) : [])]
  }
  const halvesOf = (service: ServiceName, places: readonly Ports[]): Planned[] => [
    ...places.flatMap((place, index) => processOf(service, 'serve', index, place)),
    ...backgroundOf(service, places[0]!),
  ]
  const processes = [...ports].flatMap(([service, places]) => {
    const whole = roles === 'together' ? places.flatMap((place, index) => wholeOf(service, place, index)) : []
    return whole.length > 0 ? whole : halvesOf(service, places)
  })
  return { processes, ports }
}

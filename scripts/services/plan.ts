import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalConfig } from './config.ts'

/** The services in the order calls go uphill: each calls only those before it. */
export const SERVICES = ['media', 'statuses', 'federation', 'notifications', 'auth', 'streaming', 'gateway'] as const
export type ServiceName = (typeof SERVICES)[number]

/** Those with a schema. */
export const STORED: readonly ServiceName[] = ['media', 'statuses', 'federation', 'notifications', 'auth']

/** One process: a half of a service. */
export type Planned = {
  name: string
  service: ServiceName
  file: string
  healthPort: number
  environment: Record<string, string | undefined>
}

/** The ports of a service's serving process. */
export type Ports = { rpc: number; http: number }

export type Stores = { urlOf(role: string): string; redisUrl: string; kafkaAddress: string }

/** How many ports `plan` needs: two a service, and one for the health of each half. */
export const PORTS = SERVICES.length * 4

/** Few enough that nine processes, their relays and their jobs stay below the 100 connections Postgres takes. */
const CONNECTIONS = '5'

const upper = (name: string) => name.toUpperCase()

/** What every process is told, and which are to run. */
export const plan = (given: {
  root: string
  config: LocalConfig
  stores: Stores
  firstPort: number
}): { processes: Planned[]; ports: Map<ServiceName, Ports> } => {
  const { root, config, stores, firstPort } = given
  const ports = new Map(SERVICES.map((service, index) => [service, { rpc: firstPort + index * 4, http: firstPort + index * 4 + 1 }]))
  const shared: Record<string, string | undefined> = {
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
    // The front on this machine is the only way in.
    TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
    ...config.environment,
    HOST: '127.0.0.1',
    BASE_URL: config.baseUrl,
    DATA_DIR: config.dataDir,
    DATABASE_URL: undefined,
    DATABASE_CONNECTIONS: CONNECTIONS,
    REDIS_URL: stores.redisUrl,
    KAFKA_BROKERS: stores.kafkaAddress,
  }
  for (const [service, { rpc }] of ports) shared[`${upper(service)}_ADDRESS`] = `127.0.0.1:${rpc}`

  const processes = SERVICES.flatMap((service, index) =>
    ['serve', 'background'].flatMap((half, offset) => {
      const file = join(root, 'services', service, 'src', `${half}.ts`)
      if (!existsSync(file)) return []
      const healthPort = firstPort + index * 4 + 2 + offset
      const { rpc, http } = ports.get(service)!
      const own = { PORT: undefined, HEALTH_PORT: String(healthPort), RPC_PORT: String(rpc), HTTP_PORT: String(http) }
      const database = STORED.includes(service) ? { [`${upper(service)}_DATABASE_URL`]: stores.urlOf(service) } : {}
      return [{ name: `${service}-${half}`, service, file, healthPort, environment: { ...shared, ...own, ...database } }]
    }),
  )
  return { processes, ports }
}

import { existsSync } from 'node:fs'
import type { CertificateFiles, RpcCredentials } from '@rookery/rpc'
import {
  ConfigurationError,
  count,
  databaseUrl,
  keys,
  optional,
  port,
  readEnvironment,
  readTogether,
  type Secret,
  type Setting,
  text,
} from '../environment.ts'
import type { LogFormat } from '../logger.ts'
import { type TracingConfig, tracingConfig, tracingSettings } from '../tracing/index.ts'
import type { Parts } from './declaration.ts'
import { logSettings } from './log-settings.ts'
import { partFaults } from './part.rules.ts'
import { type StoresConfig, storeFaults, storeSettings, storesConfig } from './store-settings.ts'

/** The role of a process: it serves calls, runs background work, does both (`whole`), or migrates the schema and ends. */
export type Role = 'serve' | 'background' | 'whole' | 'migrate'

/** Whether the process serves requests: then it continues without stores that only its background work needs. */
export const isServing = (role: Role): boolean => role === 'serve' || role === 'whole'

type Environment = Record<string, string | undefined>

const upper = (name: string) => name.toUpperCase()
const addressName = (service: string) => `${upper(service)}_ADDRESS`
const databaseName = (service: string) => `${upper(service)}_DATABASE_URL`

const EVERY = {
  ...logSettings('info'),
  HOST: text({ describe: 'The address to listen on.', default: '127.0.0.1' }),
  HEALTH_PORT: port({ describe: 'Port of /health/live, /health/ready and /metrics.', default: '0' }),
  LIVE_SECONDS: count({
    describe: 'The liveness probe fails when the relay, a consumer or the polling for jobs makes no progress for so long.',
    default: '120',
  }),
  DRAIN_SECONDS: count({
    describe: 'Seconds that a stopping process continues to serve, so that its callers stop sending requests.',
    default: '0',
  }),
  DATA_DIR: text({ describe: "Folder for the socket of the operator's CLI, and for files.", default: '.rookery' }),
}
const BACKGROUND = {
  PART: optional(
    text({
      describe:
        'Part of its service’s background that this process runs: one that the service declares (in statuses: fan-out), or rest, which is all others and the relay. All of it when not set.',
    }),
  ),
}
const SERVE = {
  RPC_PORT: port({ describe: 'Port of gRPC calls.', default: '0' }),
  HTTP_PORT: port({ describe: 'Public HTTP port of services with pages, files, streams or an API.', default: '0' }),
}
const TRUST = {
  RPC_KEY: optional(
    keys({
      describe:
        'Shared key of calls between services. Required where other machines can connect, unless there are certificates. To rotate it: OLD,NEW everywhere, then NEW,OLD, then NEW.',
    }),
  ),
  RPC_CA: optional(text({ describe: 'CA certificate file (PEM) of clients and servers (mutual TLS); reloaded when it changes.' })),
  RPC_CERTIFICATE: optional(
    text({
      describe: 'Certificate file (PEM) of this process, issued for its host name in NAME_ADDRESS, not an IP address.',
    }),
  ),
  RPC_CERTIFICATE_KEY: optional(text({ describe: 'Key file (PEM) of that certificate.' })),
}
const CONNECTIONS = { DATABASE_CONNECTIONS: count({ describe: 'Maximum number of database connections.', default: '8' }) }

const databaseSetting = (service: string): Setting<Secret> =>
  databaseUrl({ describe: `The database with the schema \`${service}\`, as its role: postgres://${service}:PASSWORD@HOST/DATABASE.` })
const addressSetting = (service: string): Setting<string> =>
  text({ describe: `Address for calls to ${service}: host:port, or dns:///host:port if the host has several addresses.` })

/** All settings of a service's process besides those of its module, for the documents. */
export const processSettings = {
  ...EVERY,
  ...BACKGROUND,
  ...SERVE,
  ...TRUST,
  ...tracingSettings,
  ...storeSettings,
  ...CONNECTIONS,
  NAME_DATABASE_URL: databaseSetting('name'),
  NAME_ADDRESS: addressSetting('name'),
}

type Files = { RPC_CA: string | undefined; RPC_CERTIFICATE: string | undefined; RPC_CERTIFICATE_KEY: string | undefined }

/** Checks that either all three files are set and exist, or none is set. */
const certificateFaults = (files: Partial<Files>): string[] => {
  const named = [files.RPC_CA, files.RPC_CERTIFICATE, files.RPC_CERTIFICATE_KEY].filter((file) => file !== undefined)
  if (named.length === 0) return []
  if (named.length < 3) return ['RPC_CA, RPC_CERTIFICATE and RPC_CERTIFICATE_KEY are set together']
  const missing = named.filter((file) => !existsSync(file))
  return missing.map((file) => `${file} does not exist: a file of RPC_CA, RPC_CERTIFICATE or RPC_CERTIFICATE_KEY`)
}

const certificatesOf = ({
  RPC_CA: authority,
  RPC_CERTIFICATE: certificate,
  RPC_CERTIFICATE_KEY: key,
}: Files): CertificateFiles | undefined => (authority && certificate && key ? { authority, certificate, key } : undefined)

const LOOPBACK = new Set(['localhost', '::1'])
const isLoopback = (host: string) => LOOPBACK.has(host) || host.startsWith('127.')

/** @throws ConfigurationError when other machines could call without a key or a certificate */
export const requireCredentials = ({ host, credentials }: Pick<ServiceConfig, 'host' | 'credentials'>): void => {
  if (isLoopback(host) || credentials.keys.length > 0 || credentials.certificates) return
  throw new ConfigurationError(['RPC_KEY is missing: other machines can reach this one, so calls need a key (or certificates)'])
}

/** The configuration of a service's process. */
export type ServiceConfig = {
  log: { level: string; format: LogFormat }
  host: string
  dataDir: string
  healthPort: number
  liveSeconds: number
  /** The part of the background work; all of it when undefined. */
  part: string | undefined
  drainSeconds: number
  rpcPort: number
  httpPort: number
  redis: StoresConfig['redis']
  kafka: StoresConfig['kafka']
  connections: number
  credentials: RpcCredentials
  tracing: TracingConfig
  databaseUrl: Secret | undefined
  addressOf: ReadonlyMap<string, string>
}

/**
 * Reads the settings of a service's process. `declared` says whether it has a database, and which services it calls. @throws
 * ConfigurationError
 */
export const readServiceConfig = (
  declared: { name: string; hasDatabase: boolean; calls: readonly string[]; parts?: Parts },
  environment: Environment,
): ServiceConfig => {
  const addresses = Object.fromEntries(declared.calls.map((service) => [addressName(service), addressSetting(service)]))
  const url = databaseName(declared.name)
  const databases = declared.hasDatabase ? { [url]: databaseSetting(declared.name) } : {}
  const {
    shared,
    addresses: addressValues,
    databases: databaseValues,
  } = readTogether(
    {
      shared: (given) =>
        readEnvironment(
          { ...EVERY, ...BACKGROUND, ...SERVE, ...TRUST, ...tracingSettings, ...storeSettings, ...CONNECTIONS },
          given,
          (values) => [...partFaults(declared.parts ?? {}, values.PART), ...certificateFaults(values), ...storeFaults(values)],
        ),
      addresses: (given) => readEnvironment(addresses, given),
      databases: (given) => readEnvironment(databases, given),
    },
    environment,
  )
  return {
    log: { level: shared.LOG_LEVEL, format: shared.LOG_FORMAT },
    host: shared.HOST,
    dataDir: shared.DATA_DIR,
    healthPort: shared.HEALTH_PORT,
    liveSeconds: shared.LIVE_SECONDS,
    part: shared.PART,
    drainSeconds: shared.DRAIN_SECONDS,
    rpcPort: shared.RPC_PORT,
    httpPort: shared.HTTP_PORT,
    ...storesConfig(shared),
    connections: shared.DATABASE_CONNECTIONS,
    tracing: tracingConfig(shared),
    credentials: { keys: (shared.RPC_KEY ?? []).map((key) => key.reveal()), certificates: certificatesOf(shared) },
    databaseUrl: databaseValues[url],
    addressOf: new Map(declared.calls.map((service) => [service, addressValues[addressName(service)] ?? ''])),
  }
}

/** The environment of this process. */
export const ownEnvironment = (): Environment => process.env

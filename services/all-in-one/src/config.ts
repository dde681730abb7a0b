import {
  count,
  databaseUrl,
  type LogFormat,
  optional,
  origin,
  port,
  readEnvironment,
  readTogether,
  type Secret,
  type TracingConfig,
  text,
  tracingConfig,
  tracingSettings,
} from '@rookery/runtime'
import { logSettings } from '@rookery/runtime/service'
import { type RookeryConfig, SERVICES } from './services.ts'

/** The settings of the one process; each module reads its own from the same environment. */
export const settings = {
  PORT: port({ describe: 'Port of the public HTTP server.', default: '3000' }),
  HOST: text({ describe: 'Address to listen on; localhost accepts connections from this machine only.', default: 'localhost' }),
  BASE_URL: optional(origin({ describe: 'Public base URL of the server; http://localhost:PORT when not set.' })),
  DATA_DIR: text({ describe: 'Data folder.', default: '.rookery' }),
  DATABASE_URL: optional(
    databaseUrl({
      describe:
        'An external Postgres in place of the embedded one: postgres://ADMINISTRATOR:PASSWORD@HOST/DATABASE, whose role may create roles, schemas and the extensions pg_trgm and btree_gin.',
    }),
  ),
  HEALTH_PORT: optional(port({ describe: 'Port of /health/live, /health/ready and /metrics; none when not set.' })),
  BACKUP_TIMEOUT_SECONDS: count({
    describe: 'How long a backup of separate services waits until all published events are handled.',
    default: '60',
  }),
  ...tracingSettings,
  ...logSettings('warn'),
}

/** The configuration of the one process. */
export type AllInOneConfig = {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  databaseUrl: Secret | undefined
  healthPort: number | undefined
  log: { level: string; format: LogFormat }
  tracing: TracingConfig
  backup: { timeoutMilliseconds: number }
  modules: RookeryConfig
}

type Environment = Record<string, string | undefined>

/** The configuration of every module from one environment. @throws ConfigurationError with all faults at once */
export const modulesConfig = (environment: Environment): RookeryConfig =>
  readTogether(
    Object.fromEntries(Object.entries(SERVICES).map(([name, { readConfig }]) => [name, readConfig])),
    environment,
  ) as RookeryConfig

const processConfig = (environment: Environment) => {
  const values = readEnvironment(settings, environment)
  return { ...values, baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}` }
}

/** The environment of this process. */
export const ownEnvironment = (): Environment => process.env

/** Reads all settings. @throws ConfigurationError with all faults at once */
export const readConfig = (environment: Environment = ownEnvironment()): AllInOneConfig => {
  const { process: own, modules } = readTogether(
    {
      process: processConfig,
      modules: (given) => modulesConfig({ ...given, BASE_URL: given['BASE_URL'] || `http://localhost:${given['PORT'] || 3000}` }),
    },
    environment,
  )
  return {
    port: own.PORT,
    host: own.HOST,
    baseUrl: own.baseUrl,
    dataDir: own.DATA_DIR,
    databaseUrl: own.DATABASE_URL,
    healthPort: own.HEALTH_PORT,
    log: { level: own.LOG_LEVEL, format: own.LOG_FORMAT },
    tracing: tracingConfig(own),
    backup: { timeoutMilliseconds: own.BACKUP_TIMEOUT_SECONDS * 1000 },
    modules,
  }
}

import { choice, count, list, port, readEnvironment, type Secret, type Setting, secret, text, url } from '../environment.ts'

/** What a process does for a service: it answers calls, reacts to facts and does what is due, or brings the schema up to date and ends. */
export type Half = 'serve' | 'background' | 'migrate'

type Environment = Record<string, string | undefined>

const upper = (name: string) => name.toUpperCase()
const addressName = (service: string) => `${upper(service)}_ADDRESS`
const databaseName = (service: string) => `${upper(service)}_DATABASE_URL`

const EVERY = {
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], { describe: 'What is logged.', default: 'info' }),
  HOST: text({ describe: 'The address to listen on.', default: '127.0.0.1' }),
  HEALTH_PORT: port({ describe: 'The port of /health/live, /health/ready and /metrics.', default: '0' }),
  LIVE_SECONDS: count({
    describe: 'When its relay, a consumer or its looking for jobs stands still for so long, a process says that it is not live.',
    default: '120',
  }),
  DRAIN_SECONDS: count({
    describe: 'How long a process that is told to stop still answers, until nobody sends it anything any more.',
    default: '0',
  }),
  DATA_DIR: text({ describe: "The folder for the socket of the operator's command, and for files.", default: '.rookery' }),
}
const SERVE = {
  RPC_PORT: port({ describe: 'The port other services call.', default: '0' }),
  HTTP_PORT: port({ describe: 'The port the public reaches, of services with pages, files, streams or an API.', default: '0' }),
}
const REDIS = { REDIS_URL: url({ describe: 'The Redis for rates, presence and live messages.', default: 'redis://127.0.0.1:6379' }) }
const KAFKA = {
  KAFKA_BROKERS: list({ describe: 'host:port of some brokers.', default: '127.0.0.1:9092' }),
  KAFKA_PARTITIONS: count({ describe: 'Of topics made by this process: the most processes that share the work.', default: '12' }),
}
const CONNECTIONS = { DATABASE_CONNECTIONS: count({ describe: 'Connections to the database, at most.', default: '8' }) }

const databaseSetting = (service: string): Setting<Secret> =>
  secret(text({ describe: `The database with the schema \`${service}\`, as its role: postgres://${service}:PASSWORD@HOST/DATABASE.` }))
const addressSetting = (service: string): Setting<string> =>
  text({ describe: `Where ${service} answers calls: host:port, or dns:///host:port with several addresses.` })

/** Every setting a service's process may read besides its module's own, for the documents. */
export const processSettings = {
  ...EVERY,
  ...SERVE,
  ...REDIS,
  ...KAFKA,
  ...CONNECTIONS,
  NAME_DATABASE_URL: databaseSetting('name'),
  NAME_ADDRESS: addressSetting('name'),
}

/** What a service's process needs to be told. */
export type ServiceConfig = {
  logLevel: string
  host: string
  dataDir: string
  healthPort: number
  liveSeconds: number
  drainSeconds: number
  rpcPort: number
  httpPort: number
  redisUrl: string
  kafkaBrokers: readonly string[]
  kafkaPartitions: number
  connections: number
  databaseUrl: Secret | undefined
  addressOf: ReadonlyMap<string, string>
}

/** Reads what a process must be told for a service with or without a database, which calls some others. @throws ConfigurationError */
export const readServiceConfig = (
  declared: { name: string; hasDatabase: boolean; calls: readonly string[] },
  environment: Environment,
): ServiceConfig => {
  const shared = readEnvironment({ ...EVERY, ...SERVE, ...REDIS, ...KAFKA, ...CONNECTIONS }, environment)
  const addresses = Object.fromEntries(declared.calls.map((service) => [addressName(service), addressSetting(service)]))
  const addressValues = readEnvironment(addresses, environment)
  const database = declared.hasDatabase
    ? readEnvironment({ url: databaseSetting(declared.name) }, { url: environment[databaseName(declared.name)] }).url
    : undefined
  return {
    logLevel: shared.LOG_LEVEL,
    host: shared.HOST,
    dataDir: shared.DATA_DIR,
    healthPort: shared.HEALTH_PORT,
    liveSeconds: shared.LIVE_SECONDS,
    drainSeconds: shared.DRAIN_SECONDS,
    rpcPort: shared.RPC_PORT,
    httpPort: shared.HTTP_PORT,
    redisUrl: shared.REDIS_URL,
    kafkaBrokers: shared.KAFKA_BROKERS,
    kafkaPartitions: shared.KAFKA_PARTITIONS,
    connections: shared.DATABASE_CONNECTIONS,
    databaseUrl: database,
    addressOf: new Map(declared.calls.map((service) => [service, addressValues[addressName(service)] ?? ''])),
  }
}

/** The environment of this process. */
export const ownEnvironment = (): Environment => process.env

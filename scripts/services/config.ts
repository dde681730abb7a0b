import { optional, origin, port, readEnvironment, type Secret, secret, text } from '../../packages/runtime/src/index.ts'

const settings = {
  PORT: port({ describe: 'The port everything is served on.', default: '3000' }),
  HOST: text({ describe: 'The address to listen on.', default: 'localhost' }),
  BASE_URL: optional(origin({ describe: 'The address the public knows the server by; http://localhost:PORT when not set.' })),
  DATA_DIR: text({ describe: 'The folder where everything is kept.', default: '.rookery' }),
  DATABASE_URL: optional(secret(text({ describe: 'An outer Postgres instead of the embedded one, as its administrator.' }))),
}

type Environment = Record<string, string | undefined>

/** What the services on one machine are started with. */
export type LocalConfig = {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  databaseUrl: Secret | undefined
  /** What the services' own settings are read from. */
  environment: Environment
}

/** @throws ConfigurationError */
export const readLocalConfig = (environment: Environment): LocalConfig => {
  const values = readEnvironment(settings, environment)
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  return { port: values.PORT, host: values.HOST, baseUrl, dataDir: values.DATA_DIR, databaseUrl: values.DATABASE_URL, environment }
}

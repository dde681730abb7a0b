import { optional, origin, port, readEnvironment, type Secret, secret, text } from '../../packages/runtime/src/index.ts'

const settings = {
  PORT: port({ describe: 'Port of the public HTTP server.', default: '3000' }),
  HOST: text({ describe: 'The address to listen on.', default: 'localhost' }),
  BASE_URL: optional(origin({ describe: 'Public base URL of the server; http://localhost:PORT when not set.' })),
  DATA_DIR: text({ describe: 'Data folder.', default: '.rookery' }),
  DATABASE_URL: optional(secret(text({ describe: 'An outer Postgres instead of the embedded one, as its administrator.' }))),
}

type Environment = Record<string, string | undefined>

/** The configuration of the services on one machine. */
export type LocalConfig = {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  databaseUrl: Secret | undefined
  /** The environment of the services' own settings. */
  environment: Environment
}

/** @throws ConfigurationError */
export const readLocalConfig = (environment: Environment): LocalConfig => {
  const values = readEnvironment(settings, environment)
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  return { port: values.PORT, host: values.HOST, baseUrl, dataDir: values.DATA_DIR, databaseUrl: values.DATABASE_URL, environment }
}

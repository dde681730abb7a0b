import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runningPostgres } from '@rookery/embedded-postgres'
import type { KafkaOptions } from '@rookery/events/kafka'
import { openStorage, type Storage } from '@rookery/media'
import { createLogger, type Lifecycle, readEnvironment } from '@rookery/runtime'
import { kafkaOptions, storeSettings, storesConfig } from '@rookery/runtime/service'
import { readConfig } from '../config.ts'
import { openDatabaseServer } from '../database.ts'
import { SCHEMAS } from '../services.ts'

type Environment = Record<string, string | undefined>

/** The database and file storage of a server. */
export type Place = {
  /** The URL of the database for a role. The administrator's, postgres, only if it is configured. */
  urlOf(role: string): string
  /** Whether roles and schemas can be created. */
  readonly hasAdministrator: boolean
  readonly files: Storage
  /** The Kafka of separate services; undefined for one process, whose events are in the database. */
  readonly kafka: KafkaOptions | undefined
  /** How long separate services may take to handle pending events, in milliseconds. */
  readonly timeoutMilliseconds: number
}

const urlName = (service: string) => `${service.toUpperCase()}_DATABASE_URL`

/** The database URLs of separate services, if all of them are configured. */
const apart = (environment: Environment): ((role: string) => string) | undefined => {
  if (!SCHEMAS.every(({ name }) => environment[urlName(name)])) return undefined
  return (role) => environment[role === 'postgres' ? 'ADMINISTRATOR_DATABASE_URL' : urlName(role)] ?? ''
}

/**
 * Opens the storage that an environment configures: that of separate services (NAME_DATABASE_URL of each), or of the one process. Its
 * embedded Postgres is used if it runs, and started if not.
 * @throws Error when data must exist but does not
 */
export const openPlace = async (
  environment: Environment,
  lifecycle: Lifecycle,
  { mustBeKept }: { mustBeKept: boolean },
): Promise<Place> => {
  const config = readConfig(environment)
  const files = openStorage(config.modules.media.keeping)
  const { timeoutMilliseconds } = config.backup
  const ofServices = apart(environment)
  if (ofServices) {
    const { kafka } = storesConfig(readEnvironment(storeSettings, environment))
    return {
      urlOf: ofServices,
      hasAdministrator: Boolean(environment['ADMINISTRATOR_DATABASE_URL']),
      files,
      kafka: { ...kafkaOptions(kafka), clientId: 'backup' },
      timeoutMilliseconds,
    }
  }
  const dataDir = resolve(config.dataDir)
  const isKept = config.databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'))
  if (mustBeKept && !isKept) throw new Error(`No server data in ${dataDir}: set DATA_DIR.`)
  const running = config.databaseUrl ? undefined : await runningPostgres(join(dataDir, 'postgres'))
  const log = createLogger({ name: 'backup', level: 'error' })
  const urlOf = running
    ? (role: string) => running.url(role, 'rookery')
    : await openDatabaseServer({ databaseUrl: config.databaseUrl, dataDir }, lifecycle, log)
  return { urlOf, hasAdministrator: true, files, kafka: undefined, timeoutMilliseconds }
}

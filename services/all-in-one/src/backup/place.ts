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

/** Where a server keeps what it has. */
export type Place = {
  /** Where a role finds the database. The administrator's, postgres, only where it is known. */
  urlOf(role: string): string
  /** Whether roles and schemas can be made there. */
  readonly hasAdministrator: boolean
  readonly files: Storage
  /** What carries events between separate services; nothing in one process, whose events are in the database. */
  readonly kafka: KafkaOptions | undefined
  /** How long separate services may take to handle what is on its way between them. */
  readonly timeoutMilliseconds: number
}

const urlName = (service: string) => `${service.toUpperCase()}_DATABASE_URL`

/** Where separate services find their schemas, when that is said of all of them. */
const apart = (environment: Environment): ((role: string) => string) | undefined => {
  if (!SCHEMAS.every(({ name }) => environment[urlName(name)])) return undefined
  return (role) => environment[role === 'postgres' ? 'ADMINISTRATOR_DATABASE_URL' : urlName(role)] ?? ''
}

/**
 * Finds the place that an environment names: as separate services are configured (NAME_DATABASE_URL of each), or as the one process is. Its own
 * Postgres is used where it runs, and started where it does not.
 * @throws Error when something must be kept there and nothing is
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

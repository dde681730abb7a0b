import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startKafka, startRedis, type TestStore, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import { prepareDatabase, roleOf } from '../../packages/database/src/index.ts'
import type { Lifecycle, Logger } from '../../packages/runtime/src/index.ts'
import { openDatabaseServer } from '../../services/all-in-one/src/database.ts'
import type { LocalConfig } from './config.ts'
import { STORED, type Stores } from './plan.ts'

/** A store that is not available, with advice on how to install it. */
class MissingStore extends Error {
  override readonly name = 'ConfigurationError'
}

/** @throws MissingStore naming each store that this machine lacks */
const requireStores = async () => {
  const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined)
  if (missing.length > 0)
    throw new MissingStore(`The services need stores of their own.\n${missing.map((reason) => `  ${reason}`).join('\n')}`)
}

/** Hooks between the services and their stores, for tests. */
export type Between = {
  /** The port that Kafka advertises. */
  advertisedPort?: number
  /** Replaces the addresses of the stores. */
  through?: (stores: Stores) => Promise<Stores>
}

/**
 * Starts Postgres, Redis and Kafka with their data in the data folder, and restarts each when it ends. @throws Error saying what to install
 */
export const openStores = async (
  config: LocalConfig,
  lifecycle: Lifecycle,
  log: Logger,
  { advertisedPort }: Between = {},
): Promise<Stores & { redis: TestStore; kafka: TestStore }> => {
  await requireStores()
  mkdirSync(config.dataDir, { recursive: true })
  const urlOf = await openDatabaseServer(config, lifecycle, log)
  await prepareDatabase(
    urlOf('postgres'),
    STORED.map((name) => roleOf(urlOf(name))),
  )
  const again = (name: string, store: () => TestStore) => () => {
    log.error({ store: name }, 'store exited, restarting')
    store()
      .start()
      .catch((error) => log.error({ err: error, store: name }, 'restarting a store failed'))
  }
  const redis = await startRedis({ dir: join(config.dataDir, 'redis'), onEnd: again('redis', () => redis) })
  lifecycle.onClose('redis', () => redis.stop())
  const kafka = await startKafka({
    dir: join(config.dataDir, 'kafka'),
    onEnd: again('kafka', () => kafka),
    ...(advertisedPort && { advertisedPort }),
  })
  lifecycle.onClose('kafka', () => kafka.stop())
  return { urlOf, redisUrl: redis.url, kafkaAddress: kafka.address, redis, kafka }
}

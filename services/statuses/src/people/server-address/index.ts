import type { Database } from '@rookery/database'
import { ConfigurationError, type Logger } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { addressRefusal } from './server-address.rules.ts'
import { countPeople, readServerAddress, recordServerAddress } from './server-address.store.ts'

type Deps = {
  config: Pick<StatusesConfig, 'baseUrl' | 'previousBaseUrl'>
  database: Pick<Database<StatusesTables>, 'db'>
  log: Pick<Logger, 'warn'>
  /** Whether the process goes on to serve: one that only migrates leaves it to those to record the address. */
  isStaying: boolean
}

/**
 * Refuses a start at an address that people here do not have their handles and ids at (decision 45), before anything else is done; records the
 * address otherwise.
 * @throws ConfigurationError
 */
export const admitServerAddress = async ({ config, database: { db }, log, isStaying }: Deps): Promise<void> => {
  const { baseUrl, previousBaseUrl: previous } = config
  const recorded = await readServerAddress(db)
  if (recorded === baseUrl) return
  const people = recorded === undefined ? 0 : await countPeople(db)
  const refusal = addressRefusal({ baseUrl, recorded, previous, people })
  if (refusal) throw new ConfigurationError([refusal])
  if (!isStaying) return
  await recordServerAddress(db, baseUrl)
  if (people > 0) log.warn({ from: recorded, to: baseUrl, people }, 'the address of the server changes')
}

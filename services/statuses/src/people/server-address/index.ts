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
  /** Whether the process will serve: one that only migrates does not record the address. */
  isStaying: boolean
}

/**
 * Refuses to start with a base URL other than that in local handles and uris (decision 45), before anything else happens; otherwise records it.
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

import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { cutTies } from '../graph/index.ts'
import { readTiesWith } from './domain-block.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

const AT_A_TIME = 100

/**
 * Ends follows and requests between an account and those of a domain it blocks, at most `max`. One transaction per pair: each locks two accounts, and
 * larger transactions could deadlock.
 */
export const cutFollows = async (
  { database, outbox }: Deps,
  wanted: { accountId: string; domain: string },
  { max = Number.POSITIVE_INFINITY }: { max?: number } = {},
): Promise<void> => {
  for (let done = 0; done < max; done += AT_A_TIME) {
    const ties = await readTiesWith(database, { ...wanted, limit: AT_A_TIME })
    for (const tie of ties) await transact(database.db, async (tx) => outbox.append(tx, await cutTies(tx, tie)))
    if (ties.length < AT_A_TIME) return
  }
}

import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { addJob, type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { cutTies } from '../graph/index.ts'
import { applyLimits } from './apply-limit.ts'
import { readOfDomain, readTies } from './domain-limit.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

const LIMIT_DOMAIN = 'limit-domain'
const AT_A_TIME = 100

/** Adds the job that applies limits to the accounts of a domain and its subdomains, with the transaction. */
export const requestLimiting = (tx: Tx<StatusesTables>, domain: string): Promise<void> =>
  addJob(tx, 'statuses', LIMIT_DOMAIN, { domain }, { key: `${LIMIT_DOMAIN}:${domain}` })

/** Applies limits to the accounts of a domain in batches, and ends the follows of those it suspends. Idempotent, so it can restart after a kill. */
export const limitDomainJob = ({ database, outbox }: Deps): Job => {
  const cutTiesOf = async (accountId: string, signal: AbortSignal | undefined) => {
    for (;;) {
      signal?.throwIfAborted()
      const ties = await readTies(database, { accountId, limit: AT_A_TIME })
      for (const tie of ties) await transact(database.db, async (tx) => outbox.append(tx, await cutTies(tx, tie)))
      if (ties.length < AT_A_TIME) return
    }
  }
  return job<{ domain: string }>({
    name: LIMIT_DOMAIN,
    lane: 'bulk',
    run: async ({ domain }, signal) => {
      for (let after = '0'; ; ) {
        signal?.throwIfAborted()
        const ids = (await readOfDomain(database, { domain, after, limit: AT_A_TIME })).map(({ id }) => id)
        const suspended = await transact(database.db, (tx) => applyLimits(tx, ids))
        for (const id of suspended) await cutTiesOf(id, signal)
        after = ids.at(-1) ?? after
        if (ids.length < AT_A_TIME) return
      }
    },
  })
}

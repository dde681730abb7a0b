import { isDeepStrictEqual } from 'node:util'
import { readStoredNetworks, replaceNetworks } from '@rookery/barred-networks'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job, runSoon } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { networksBarred } from './address-block.events.ts'
import { lockBarredNetworks } from './ip-block.store.ts'
import { barredNetworks } from './judge-address.ts'

const PUBLISH = 'publish-barred-networks'

/** Adds the job that publishes the networks without access, with the transaction. */
export const requestPublishing = (tx: Tx<AuthTables>): Promise<void> => runSoon(tx, SERVICE, PUBLISH)

/** Publishes the networks without access if the list has changed. Also runs every five minutes, because blocks expire. */
export const publishBarredNetworks = ({ database, outbox, clock }: { database: Database<AuthTables>; outbox: Outbox; clock: Clock }): Job =>
  job<unknown>({
    name: PUBLISH,
    cron: '*/5 * * * *',
    run: () =>
      transact(database.db, async (tx) => {
        // Without the lock, a concurrent run could publish an older list last.
        await lockBarredNetworks(tx)
        const networks = await barredNetworks(tx, clock)
        if (isDeepStrictEqual(networks, await readStoredNetworks(tx))) return
        await replaceNetworks(tx, networks)
        await outbox.append(tx, [networksBarred(networks)])
      }),
  })

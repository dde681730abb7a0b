import { isDeepStrictEqual } from 'node:util'
import { keepNetworks, keptNetworks } from '@rookery/barred-networks'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { networksBarred } from './address-block.events.ts'
import { lockBarredNetworks } from './ip-block.store.ts'
import { barredNetworks } from './judge-address.ts'

const TELL = 'tell-barred-networks'

/** Has the services that may not ask told of the networks without access, as they are once this is committed. */
export const requestTelling = (tx: Tx<AuthTables>): Promise<void> => addJob(tx, SERVICE, TELL, {}, { key: TELL })

/** Tells services of the networks without access where they are others than were told of last: blocks also end by themselves. */
export const tellBarredNetworks = ({ database, outbox, clock }: { database: Database<AuthTables>; outbox: Outbox; clock: Clock }): Job =>
  job<unknown>({
    name: TELL,
    cron: '*/5 * * * *',
    run: () =>
      transact(database.db, async (tx) => {
        // What was read first must not be told last.
        await lockBarredNetworks(tx)
        const networks = await barredNetworks(tx, clock)
        if (isDeepStrictEqual(networks, await keptNetworks(tx))) return
        await keepNetworks(tx, networks)
        await outbox.append(tx, [networksBarred(networks)])
      }),
  })

import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import { notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { cutFollows } from './cut-follows.ts'
import { readPeopleOf } from './domain-block.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

export const CUT_DOMAIN = 'cut-domain'
const AT_A_TIME = 100

/**
 * Removes the ties of an account to a domain it blocks: follows and requests both ways, and notifications. The remaining ties are read each time, so
 * it can restart after a kill. Does nothing once the domain is unblocked.
 */
export const cutDomainJob = ({ database, outbox }: Deps): Job => {
  return job<{ accountId: string; domain: string }>({
    name: CUT_DOMAIN,
    lane: 'bulk',
    run: async (wanted, signal) => {
      await cutFollows({ database, outbox }, wanted)
      for (let after = '0'; ; ) {
        signal?.throwIfAborted()
        const people = await readPeopleOf(database, { ...wanted, after, limit: AT_A_TIME })
        const withdrawn = people.map(({ id }) =>
          notificationWithdrawn({ recipientId: wanted.accountId, reason: '', actorId: id, statusId: '' }),
        )
        await transact(database.db, (tx) => outbox.append(tx, withdrawn))
        after = people.at(-1)?.id ?? after
        if (people.length < AT_A_TIME) return
      }
    },
  })
}

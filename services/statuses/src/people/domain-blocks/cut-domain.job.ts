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
 * Ends what a person who shut a server out has with people of it: follows and requests either way, and notifications of what they did. What is
 * ended stays so, and what is left is read each time, so it goes on wherever it stopped. Nothing when the server is let in again meanwhile.
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

import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { pollCounted } from './poll.events.ts'
import { PollWriter } from './poll.store.ts'
import { ANNOUNCE_COUNT } from './schedule-end.ts'

/** Publishes the event that sends the votes of the last minutes to other servers. */
export const announceCountJob = ({ database, outbox }: { database: Database<StatusesTables>; outbox: Outbox }): Job =>
  job<{ statusId: string }>({
    name: ANNOUNCE_COUNT,
    run: ({ statusId }) =>
      transact(database.db, async (tx) => {
        const accountId = await new PollWriter(tx).localAuthor(statusId)
        if (accountId) await outbox.append(tx, [pollCounted({ accountId, statusId })])
      }),
  })

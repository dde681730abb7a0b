import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter } from './feed.store.ts'
import { pullAuthor } from './pulled.store.ts'

const PULL_AUTHOR = 'pull-author'

/** Adds the job that has an author's statuses pulled, with the transaction. */
export const requestPull = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', PULL_AUTHOR, { accountId }, { key: `${PULL_AUTHOR}:${accountId}` })

/** Stops writing an author's statuses to homes: from then on homes pull them when they are read. Idempotent. */
export const pullAuthorJob = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job<{ accountId: string }>({
    name: PULL_AUTHOR,
    lane: 'bulk',
    run: ({ accountId }) =>
      transact(database.db, async (tx) => {
        await new FeedWriter(tx).claim()
        await pullAuthor(tx, accountId, clock.now())
      }),
  })

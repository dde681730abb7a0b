import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter } from './feed.store.ts'
import { refreshHome } from './refresh-home.ts'

const BUILD_HOME = 'build-home'

/** Adds the job that builds an account's home, with the transaction. */
export const requestBuild = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', BUILD_HOME, { accountId }, { key: `${BUILD_HOME}:${accountId}` })

/** Builds the home of an account that returned, or whose home was lost. Idempotent. */
export const buildHomeJob = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job<{ accountId: string }>({
    name: BUILD_HOME,
    run: ({ accountId }) =>
      transact(database.db, async (tx) => {
        await new FeedWriter(tx).claim()
        await refreshHome(tx, accountId, { now: new Date(clock.now()), isBack: true })
      }),
  })

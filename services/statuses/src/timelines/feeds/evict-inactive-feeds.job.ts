import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter } from './feed.store.ts'
import { oldestDay } from './home.rules.ts'
import { HomeWriter } from './home-writer.store.ts'

const AT_A_TIME = 100

/** Evicts homes that their owners have not read for 30 days: fan-out skips them until the owners return. */
export const evictInactiveFeedsJob = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'rest-homes',
    lane: 'bulk',
    cron: '40 3 * * *',
    run: async (_payload, signal) => {
      const rest = () =>
        transact(database.db, async (tx) => {
          await new FeedWriter(tx).claim()
          return new HomeWriter(tx).rest(oldestDay(clock.now()), AT_A_TIME)
        })
      while ((await rest()) === AT_A_TIME) signal?.throwIfAborted()
    },
  })

import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { compareHomes } from './compare-homes.ts'
import { takeToCompare } from './home.store.ts'

const AT_A_TIME = 100

/** Counters of comparing homes, since the process started. */
export type FeedCounts = { compared: number; missing: number; unwanted: number }

/** Compares all homes, the least recently compared first, and repairs those that differ from the rule. */
export const compareHomesJob = (deps: { database: Database<StatusesTables>; clock: Clock }, counts: FeedCounts): Job => {
  const compare = compareHomes(deps)
  return job({
    name: 'compare-homes',
    lane: 'bulk',
    cron: '*/10 * * * *',
    run: async () => {
      const taken = await takeToCompare(deps.database, { limit: AT_A_TIME, now: new Date(deps.clock.now()) })
      for (const { missing, unwanted } of await compare(
        taken.map(({ accountId }) => accountId),
        { repair: true },
      )) {
        counts.compared++
        counts.missing += missing
        counts.unwanted += unwanted
      }
    },
  })
}

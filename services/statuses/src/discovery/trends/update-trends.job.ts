import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { DAYS } from '../../timelines/tags/index.ts'
import { countPendingUses } from './count-uses.ts'
import { rankStatuses } from './rank-statuses.ts'
import { forgetStatusTrends } from './status-trend.store.ts'
import { dayOf, HALF_LIVES, minRank } from './trend.rules.ts'
import { forgetTrends } from './trend.store.ts'
import { forgetDays, forgetUses } from './use.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; config: { trends: { minAccounts: number } } }

const DAY = 86_400_000
/** Maximum rows deleted per statement; the rest follows a minute later. */
const FORGOTTEN_AT_ONCE = 10_000

/** Deletes uses older than histories, and trends that ended more than two days ago: their peaks no longer count. */
const forgetOld = async ({ database, clock }: Deps): Promise<void> => {
  const now = clock.now()
  const floor = (halfLife: number) => minRank(now - 2 * DAY, halfLife)
  const old = { before: dayOf(now) - DAYS + 1, limit: FORGOTTEN_AT_ONCE }
  await forgetUses(database, old)
  await forgetDays(database, old)
  for (const kind of ['tag', 'link'] as const)
    await forgetTrends(database, { kind, limit: FORGOTTEN_AT_ONCE, floor: floor(HALF_LIVES[kind]) })
  await forgetStatusTrends(database, { limit: FORGOTTEN_AT_ONCE, floor: floor(HALF_LIVES.status) })
}

/** Updates trends, each minute: its cost grows with the posts, boosts and favourites of the last minutes. Pages only read what it wrote. */
export const updateTrendsJob = (deps: Deps): Job => {
  const countUses = countPendingUses(deps)
  const rank = rankStatuses(deps)
  return job({
    name: 'update-trends',
    cron: '* * * * *',
    run: async (_payload, signal) => {
      await countUses(signal)
      await rank(signal)
      await forgetOld(deps)
    },
  })
}

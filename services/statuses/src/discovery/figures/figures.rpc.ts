import { oneAtATime, revalidated } from '@rookery/batching'
import { DiscoveryDefinition, type Figures, type WeekOfStatuses } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import { type Clock, dayOf } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readCounts, readWeeks } from './figures.store.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30
const HALF_YEAR_DAYS = 180

const dayBefore = (now: number, days: number) => dayOf(now - days * DAY)

type Deps = { database: Database<StatusesTables>; clock: Clock }

const MINUTE = 60_000
/** Weeks with more statuses are kept for a while: to count them takes long, and a few more or less are not seen. */
const MANY = 10_000

/** Counts statuses by week; on a large server once a minute. */
const weeksReader = ({ database, clock }: Deps) => {
  const kept = revalidated<WeekOfStatuses[]>({ max: 4, freshFor: MINUTE, keptFor: 60 * MINUTE, now: clock.now })
  const inTurn = oneAtATime<number>()
  return async (start: number): Promise<WeekOfStatuses[]> => {
    const read = () => readWeeks(database, { sinceId: idAtTime(start * 1000), start })
    const peek = () => kept.peek(String(start), read)
    const count = async () => {
      const weeks = await read()
      if (weeks.reduce((sum, { statuses }) => sum + statuses, 0) > MANY) kept.keep(String(start), weeks)
      return weeks
    }
    // Those who come while it is counted for the first time take what the first of them counted.
    return peek() ?? inTurn(start, async () => peek() ?? count())
  }
}

/** Statistics of the whole server. */
export const createFiguresRpc = (deps: Deps): Handler => {
  const { database, clock } = deps
  const weeksSince = weeksReader(deps)
  return handler(DiscoveryDefinition, {
    async readFigures(_call, { weeksSinceSeconds }): Promise<Figures> {
      const now = clock.now()
      const [[counts], weeks] = await Promise.all([
        readCounts(database, { monthAgo: dayBefore(now, MONTH_DAYS), halfYearAgo: dayBefore(now, HALF_YEAR_DAYS) }),
        weeksSinceSeconds ? weeksSince(weeksSinceSeconds) : [],
      ])
      return { ...counts!, weeks }
    },
  })
}

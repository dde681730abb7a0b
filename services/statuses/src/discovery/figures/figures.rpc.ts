import { cachedWhenLarge } from '@rookery/batching'
import { DiscoveryDefinition, type Figures, type WeekOfStatuses } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import { type Clock, dayOf } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { type Counts, readCounts, readWeeks } from './figures.store.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30
const HALF_YEAR_DAYS = 180

const dayBefore = (now: number, days: number) => dayOf(now - days * DAY)

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** Statuses of the weeks, and local accounts, above which the counts are cached: counting takes long, and small changes are not visible. */
const MANY = { statuses: 10_000, people: 1000 }

/** Implements the calls of Discovery: statistics of the whole server, cached on a large one. */
export const createFiguresRpc = ({ database, clock }: Deps): Handler => {
  const { now } = clock
  const cachedCounts = cachedWhenLarge<Counts>({ max: 1, now, isLarge: ({ people }) => people > MANY.people })
  const weeksSince = cachedWhenLarge<WeekOfStatuses[]>({
    max: 4,
    now,
    isLarge: (weeks) => weeks.reduce((sum, { statuses }) => sum + statuses, 0) > MANY.statuses,
  })
  const readCurrentCounts = async () => {
    const at = now()
    const [counts] = await readCounts(database, { monthAgo: dayBefore(at, MONTH_DAYS), halfYearAgo: dayBefore(at, HALF_YEAR_DAYS) })
    return counts!
  }
  const readSince = (start: number) => readWeeks(database, { sinceId: idAtTime(start * 1000), start })
  return handler(DiscoveryDefinition, {
    async readFigures(_call, { weeksSinceSeconds }): Promise<Figures> {
      const [counts, weeks] = await Promise.all([
        cachedCounts('', readCurrentCounts),
        weeksSinceSeconds ? weeksSince(String(weeksSinceSeconds), () => readSince(weeksSinceSeconds)) : [],
      ])
      return { ...counts, weeks }
    },
  })
}

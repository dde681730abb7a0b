import { DiscoveryDefinition, type Figures } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readCounts, readWeeks } from './figures.store.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30
const HALF_YEAR_DAYS = 180

const dayBefore = (now: number, days: number) => new Date(now - days * DAY).toISOString().slice(0, 10)

/** What the whole server amounts to. */
export const createFiguresRpc = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Handler =>
  handler(DiscoveryDefinition, {
    async readFigures(_call, { weeksSinceSeconds }): Promise<Figures> {
      const now = clock.now()
      const [[counts], weeks] = await Promise.all([
        readCounts(database, { monthAgo: dayBefore(now, MONTH_DAYS), halfYearAgo: dayBefore(now, HALF_YEAR_DAYS) }),
        weeksSinceSeconds ? readWeeks(database, { sinceId: idAtTime(weeksSinceSeconds * 1000), start: weeksSinceSeconds }) : [],
      ])
      return { ...counts!, weeks }
    },
  })

import { LoginMeasuresDefinition } from '@rookery/contracts/auth'
import { type CountedRow, type Database, measuredRows } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { cohortsOf, periodsOf } from './cohort.rules.ts'
import { type ComparedDays, countActive, countLanguages, countNew, countRetained, countSources, type Part } from './measure.store.ts'

type Deps = { database: Database<AuthTables>; logins: Pick<Logins, 'flushSeen'> }

const MEASURES: Readonly<Record<string, (database: Database<AuthTables>, days: ComparedDays) => Promise<CountedRow[]>>> = {
  active_users: countActive,
  new_users: countNew,
}

type Days = { firstDay: number; lastDay: number; limit: number }

const DIMENSIONS: Readonly<Record<string, (database: Database<AuthTables>, days: Days) => Promise<Part[]>>> = {
  languages: countLanguages,
  sources: countSources,
}

const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** The service LoginMeasures: one statement per key (beyond-the-spec 2.6). */
export const createLoginMeasuresRpc = ({ database, logins }: Deps): Handler =>
  handler(LoginMeasuresDefinition, {
    async readMeasures(_call, { measures, firstDay, lastDay }) {
      await logins.flushSeen()
      const days = { previousDay: firstDay - (lastDay - firstDay + 1), firstDay, lastDay }
      const found = measures.flatMap(({ key }) => {
        const count = ownValue(MEASURES, key)
        return count ? [count(database, days).then((rows) => ({ key, ...measuredRows(rows) }))] : []
      })
      return { measures: await Promise.all(found) }
    },
    async readDimensions(_call, { dimensions, ...days }) {
      await logins.flushSeen()
      const found = dimensions.flatMap(({ key }) => {
        const count = ownValue(DIMENSIONS, key)
        return count ? [count(database, days).then((rows) => ({ key, rows }))] : []
      })
      return { dimensions: await Promise.all(found) }
    },
    async readRetention(_call, { firstDay, lastDay, isMonthly }) {
      await logins.flushSeen()
      const periods = periodsOf({ firstDay, lastDay, isMonthly })
      const since = Math.min(firstDay, periods[0] ?? firstDay)
      const retained = await countRetained(database, { unit: isMonthly ? 'month' : 'day', firstDay: since, lastDay })
      return { cohorts: cohortsOf(periods, retained) }
    },
  })

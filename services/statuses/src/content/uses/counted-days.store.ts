import { type RawBuilder, sql } from 'kysely'

type Part = RawBuilder<unknown>

/** Seven days of a history, and one more. */
const MOST = sql.lit(8)

/** A query of the daily use of a tag or link since a day, as counted for trends: `day`, `uses`, `accounts`. */
export const countedDays = ({ kind, key, since }: { kind: Part; key: Part; since: Part }): Part =>
  sql`select day, uses, accounts from trend_day where kind = ${kind} and key = ${key} and day >= ${since} order by day limit ${MOST}`

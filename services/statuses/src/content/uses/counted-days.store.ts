import { type RawBuilder, sql } from 'kysely'

type Part = RawBuilder<unknown>

/** A history has seven days. */
const MOST = sql.lit(8)

/** A query of what the trends counted of a tag or link by day, from a day on: `day`, `uses`, `accounts`. */
export const countedDays = ({ kind, key, since }: { kind: Part; key: Part; since: Part }): Part =>
  sql`select day, uses, accounts from trend_day where kind = ${kind} and key = ${key} and day >= ${since} order by day limit ${MOST}`

import { type RawBuilder, sql } from 'kysely'

/** The count of a day since 1970, or of all days when null: in the range, or before it. */
export type CountedRow = { day: number | null; isBefore: boolean; value: number }

/** The counted rows: each has a day and a subject. `firstDay` is the first day of the range; everything before it is one count. */
type Counting = { source: RawBuilder<unknown>; value?: RawBuilder<unknown>; firstDay: number }

/** Maximum rows counted by one statement: staff wait for it. */
export const MAX_COUNTED = sql.lit(1_000_000)

/**
 * Counts the rows of a source of (day, subject), by day and in total; `value` is an aggregate over `subject`, by default the number of
 * rows.
 */
export const countedByDay = ({ source, value = sql`count(*)`, firstDay }: Counting): RawBuilder<CountedRow> => sql<CountedRow>`
  select day, is_before, ${value}::float8 "value" from (
    select case when day >= ${firstDay}::int then day end "day", day < ${firstDay}::int is_before, subject
    from (select day, subject from (${source}) happened limit ${MAX_COUNTED}) bounded) counted
  group by grouping sets ((is_before, day), (is_before))`

/** A measure from the counted rows: the totals of the range and before it, and the days in order. */
export const measuredRows = (
  rows: readonly CountedRow[],
): { total: number; previousTotal: number; days: { day: number; value: number }[] } => {
  const totalOf = (isBefore: boolean) => rows.find((row) => row.isBefore === isBefore && row.day === null)?.value ?? 0
  const days = rows.flatMap(({ day, value }) => (day === null ? [] : [{ day, value }])).sort((one, other) => one.day - other.day)
  return { total: totalOf(false), previousTotal: totalOf(true), days }
}

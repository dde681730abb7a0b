import { type RawBuilder, sql } from 'kysely'

/** What happened on a day counted since 1970, or with no day on all of its part: the days of a range, or those before them. */
export type CountedRow = { day: number | null; isBefore: boolean; value: number }

/** What is counted: each row a day and a subject. `firstDay` is the first day of the range; what is before it is counted as a whole. */
type Counting = { source: RawBuilder<unknown>; value?: RawBuilder<unknown>; firstDay: number }

/** Rows that one statement counts: staff wait for it. */
export const MAX_COUNTED = sql.lit(1_000_000)

/** Counts what a source of (day, subject) holds, by day and in all; `value` is an aggregate of `subject`, its rows where it is left out. */
export const countedByDay = ({ source, value = sql`count(*)`, firstDay }: Counting): RawBuilder<CountedRow> => sql<CountedRow>`
  select day, is_before, ${value}::float8 "value" from (
    select case when day >= ${firstDay}::int then day end "day", day < ${firstDay}::int is_before, subject
    from (select day, subject from (${source}) happened limit ${MAX_COUNTED}) bounded) counted
  group by grouping sets ((is_before, day), (is_before))`

/** A measure as it is read from the rows: the total of the range, that of before, and its days in order. */
export const measuredRows = (
  rows: readonly CountedRow[],
): { total: number; previousTotal: number; days: { day: number; value: number }[] } => {
  const totalOf = (isBefore: boolean) => rows.find((row) => row.isBefore === isBefore && row.day === null)?.value ?? 0
  const days = rows.flatMap(({ day, value }) => (day === null ? [] : [{ day, value }])).sort((one, other) => one.day - other.day)
  return { total: totalOf(false), previousTotal: totalOf(true), days }
}

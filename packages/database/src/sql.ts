import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** `= any(…)` of ids: the same text for any number of them, so it stays prepared. Use as `where('id', '=', anyOf(ids))`. */
export const anyOf = (ids: readonly string[]): RawBuilder<string> => sql<string>`any(${ids}::bigint[])`

const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value))

const PLAIN = /^\d+$/

/** An element of an array literal: ids and other numbers verbatim, texts in quotes. */
const elementOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  const text = textOf(value)
  return PLAIN.test(text) ? text : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

/**
 * An array literal of Postgres: for statements that run for many rows of values, where an array parameter per row would have to be
 * rectangular.
 */
export const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(elementOf).join()}}`

/** Whether a statement failed because of a unique index; with a name, of that index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const fault = error as { code?: string; constraint?: string }
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** Whether a statement failed because the row it refers to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: string })?.code === '23503'

/** Maximum rows of a page. */
const MAX_ROWS = 1000

/**
 * The first rows of an ordered query. Postgres plans a statement without its values: the constant limit shows that few rows are needed, so
 * that it reads them in the order of an index and stops.
 */
export const firstRows = <Row>(ordered: RawBuilder<Row>, limit: number): RawBuilder<Row> =>
  sql<Row>`select * from (${ordered} limit ${sql.lit(MAX_ROWS)}) first limit ${limit}`

/**
 * A condition that is only checked on found rows: Postgres uses no index for it. For further conditions on the row of a unique key, where
 * Postgres might otherwise choose another index, with many rows.
 */
export const onceFound = (condition: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(${condition}) is true`

/**
 * Whether a query, from its `from` on, has a row: an index lookup for each row of the outer statement. `offset 0` keeps Postgres from
 * turning it into a join, which may read and hash the whole table.
 */
export const hasRow = (from: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`exists (select 1 ${from} offset 0)`

/**
 * Whether a query, from its `from` on, has a row, independent of the outer statement's rows: evaluated once per statement, when it is first
 * needed. The limit tells the planner that one row is enough.
 */
export const hasAny = (from: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`coalesce((select true ${from} limit 1), false)`

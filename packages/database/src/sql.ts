import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** `= any(…)` of ids: one statement text regardless of their number, so it stays prepared. Use as `where('id', '=', anyOf(ids))`. */
export const anyOf = (ids: readonly string[]): RawBuilder<string> => sql<string>`any(${ids}::bigint[])`

const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value))

const PLAIN = /^\d+$/

/** An element of a list: ids and other numbers as they are, texts in quotes. */
const elementOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  const text = textOf(value)
  return PLAIN.test(text) ? text : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

/** A list as Postgres reads one from text: for statements that run for many rows of values, since a list in each would have to be as long as the others. */
export const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(elementOf).join()}}`

/** Whether a statement failed because a unique index refused it; with a name, that index alone. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const fault = error as { code?: string; constraint?: string }
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** Whether a statement failed because the row it refers to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: string })?.code === '23503'

/** No page holds more rows. */
const MAX_ROWS = 1000

/**
 * The first rows of a query with an order. Postgres plans a statement without knowing its values: the limit in the text tells it that few rows
 * are wanted, so that it reads them in the order of an index and stops.
 */
export const firstRows = <Row>(ordered: RawBuilder<Row>, limit: number): RawBuilder<Row> =>
  sql<Row>`select * from (${ordered} limit ${sql.lit(MAX_ROWS)}) first limit ${limit}`

/**
 * A condition that is checked on rows once they are found: Postgres chooses no index for it. For further conditions on the row of a unique key, for
 * which Postgres might otherwise read another index, one that holds many rows.
 */
export const onceFound = (condition: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(${condition}) is true`

/**
 * Whether a query, from its `from` on, has a row: looked up by an index for each row of the statement around it. `offset 0` keeps Postgres from
 * making it a join, which may read the whole table and hash it.
 */
export const hasRow = (from: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`exists (select 1 ${from} offset 0)`

/**
 * Whether a query, from its `from` on, has a row, where it does not depend on a row of the statement around it: evaluated once for the whole statement,
 * when it is first needed. The limit shows in the plan that one row is enough.
 */
export const hasAny = (from: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`coalesce((select true ${from} limit 1), false)`

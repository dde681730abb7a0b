import { type RawBuilder, sql } from 'kysely'
import { type Bounds, inBothOrders, keyset, type Order, type Page } from './page.ts'
import { type Buildable, prepared, type Source } from './prepared.ts'

/** Reads a page of a list; a page by min_id is in ascending order, as `cursorsOf` expects it. */
export type PreparedPage<Values extends object, Row> = (source: Source, given: Values & { page: Page }) => Promise<Row[]>

/**
 * Declares a prepared statement that reads a list by page. It is compiled in both orders, as `name-asc` and `name-desc`; `build` may depend
 * on the order, and on nothing else.
 */
export const preparedPage = <Values extends object, Row>(
  name: string,
  build: (given: Values, bounds: Bounds & { order: Order }) => Buildable<Row>,
): PreparedPage<Values, Row> => {
  const read = inBothOrders((order) =>
    prepared(`${name}-${order}`, (given: Values & Bounds) => {
      const { below, above, limit } = given
      return build(given, { order, below, above, limit })
    }),
  )
  return (source, { page, ...given }) => {
    const { order, below, above, limit } = keyset(page)
    return read[order](source, { ...(given as unknown as Values), below, above, limit })
  }
}

/** The limit of a list that returns everything for a limit of 0. */
export const orAll = (limit: number): RawBuilder<number> => sql<number>`nullif(${limit}::bigint, 0)`

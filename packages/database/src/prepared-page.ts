import { type RawBuilder, sql } from 'kysely'
import { type Bounds, inBothOrders, keyset, type Order, type Page } from './page.ts'
import { type Buildable, prepared, type Source } from './prepared.ts'

/** Reads a page of a list; one by min_id comes lowest id first, as `cursorsOf` takes it. */
export type PreparedPage<Deps extends object, Row> = (source: Source, deps: Deps & { page: Page }) => Promise<Row[]>

/**
 * Names a statement that reads a list by page, as `prepared` does. It is compiled in both orders, as `name-asc` and `name-desc`; `build` may
 * decide by the order, and by nothing else.
 */
export const preparedPage = <Deps extends object, Row>(
  name: string,
  build: (deps: Deps, bounds: Bounds & { order: Order }) => Buildable<Row>,
): PreparedPage<Deps, Row> => {
  const read = inBothOrders((order) =>
    prepared(`${name}-${order}`, (deps: Deps & Bounds) => {
      const { below, above, limit } = deps
      return build(deps, { order, below, above, limit })
    }),
  )
  return (source, { page, ...given }) => {
    const { order, below, above, limit } = keyset(page)
    return read[order](source, { ...(given as unknown as Deps), below, above, limit })
  }
}

/** The limit of a list that gives everything for the limit 0. */
export const orAll = (limit: number): RawBuilder<number> => sql<number>`nullif(${limit}::bigint, 0)`

import type { Cursors } from '@rookery/contracts/common'
import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely'

/** The cursors and the limit of a page (spec, Pagination conventions). */
export type Page = { maxId?: string | undefined; sinceId?: string | undefined; minId?: string | undefined; limit: number }

/** The default and the maximum number of rows of a list. */
type PageSizes = { readonly standard: number; readonly max: number }

/** The limit of a page within the maximum of the list: the absolute value, silently capped (beyond-the-spec 0.1). */
export const rowsWithin = ({ max }: PageSizes, limit: number): number => Math.min(Math.abs(Math.trunc(limit)) || 0, max)

/** The requested page, within the limits of the list. */
export const pageWithin = (sizes: PageSizes, page: Page | undefined): Page =>
  page ? { ...page, limit: rowsWithin(sizes, page.limit) } : { limit: sizes.standard }

/**
 * Adds the page's cursors, order and limit to a query over ids, newest first. A page by min_id is read in ascending order, the rows
 * immediately above the cursor, and must be reversed: pass its rows through cursorsOf's `rows`.
 */
export const applyPage = <Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  column: ReferenceExpression<Tables, From>,
  page: Page,
): SelectQueryBuilder<Tables, From, Row> => {
  let bounded = query
  if (page.maxId) bounded = bounded.where(column, '<', sql.val(page.maxId) as never)
  if (page.minId) bounded = bounded.where(column, '>', sql.val(page.minId) as never)
  else if (page.sinceId) bounded = bounded.where(column, '>', sql.val(page.sinceId) as never)
  return bounded.orderBy(column, keyset(page).order).limit(sql.val(page.limit) as never)
}

/** The order in which a page is read: ascending with min_id, else descending. */
export type Order = 'asc' | 'desc'

/** A statement in both orders, for lists whose statements are written as text. */
export const inBothOrders = <Read>(make: (order: Order) => Read): Record<Order, Read> => ({ asc: make('asc'), desc: make('desc') })

/** Above every possible id. */
export const MAX_ID = '9223372036854775807'

/** The range of a page: ids below one and above another, and the limit. */
export type Bounds = { below: string; above: string; limit: number }

/** The order and the range of a page. */
export const keyset = ({ maxId, minId, sinceId, limit }: Page): Bounds & { order: Order } => ({
  order: minId ? 'asc' : 'desc',
  below: maxId ?? MAX_ID,
  above: minId ?? sinceId ?? '0',
  limit,
})

/** The rows newest first, with the cursors for the Link header. */
export const cursorsOf = <Row>(page: Page, rows: readonly Row[], cursorOf: (row: Row) => string): { rows: Row[]; cursors: Cursors } => {
  const ordered = page.minId ? [...rows].reverse() : [...rows]
  const first = ordered[0]
  const last = ordered.at(-1)
  return {
    rows: ordered,
    cursors: {
      first: first === undefined ? '' : cursorOf(first),
      last: last === undefined ? '' : cursorOf(last),
      isFull: ordered.length >= page.limit && page.limit > 0,
    },
  }
}

import { isDeepStrictEqual } from 'node:util'
import { latest, memoize } from '@rookery/cache'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'

/** Maximum length of a page that is remembered. */
const MAX_LENGTH = 500

/** The pages that a statement read last, by the key of its values. */
export type KnownPages<Row, Page> = {
  /** The page as it was read last, if it is remembered. */
  last(key: string): Page | undefined
  /** The page of a row: decoded, unless it is the same as the last one with this key, as it mostly is. */
  take(key: string, row: Row): Page
}

type Options<Row, Page> = {
  /** The columns that the page is made of. */
  columns: readonly (keyof Row)[]
  decode: (row: Row) => Page
  /** What an unchanged page is returned as: the same page by default. */
  again?: (page: Page) => Page
  /** How many pages are remembered for each database. */
  max: number
}

/** Remembers the pages of a statement, separately for each database. */
export const knownPages = <Row, Page extends { readonly ids: readonly string[] }>({ columns, decode, again, max }: Options<Row, Page>) => {
  type Known = { row: Row; page: Page }
  type Pages = ReturnType<typeof latest<Known>>
  const databases = new WeakMap<object, Pages>()
  const isSame = (one: Row, other: Row) => columns.every((column) => isDeepStrictEqual(one[column], other[column]))
  // Concurrent requests with the same values share a row.
  const takeFrom = memoize((row: Row, pages: Pages, key: string): Page => {
    const last = pages.get(key)
    const known = last && isSame(last.row, row) ? last : { row, page: decode(row) }
    if (known.page.ids.length <= MAX_LENGTH) pages.set(key, known)
    return known === last && again ? again(known.page) : known.page
  })
  return ({ pool }: Pick<Database<StatusesTables>, 'pool'>): KnownPages<Row, Page> => {
    const pages = databases.get(pool) ?? latest<Known>(max)
    databases.set(pool, pages)
    return { last: (key) => pages.get(key)?.page, take: (key, row) => takeFrom(row, pages, key) }
  }
}

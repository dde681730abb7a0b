import type { Cursors } from '@rookery/contracts/common'
import { cursorsOf, type Page } from '@rookery/database'
import type { Hydrated } from './inbox.views.ts'

/** Maximum reads to fill a page. */
const MAX_ROUNDS = 4

type Steps<Row> = {
  /** Reads a page, in the page's order. */
  read(page: Page): Promise<Row[]>
  /** Reads what the rows refer to, as far as the viewer may see it. */
  hydrate(rows: readonly Row[]): Promise<Hydrated>
  /** The rows that the viewer may see. */
  visible(rows: readonly Row[], hydrated: Hydrated): Row[]
}

/** The next page in the direction of reading. */
const after = (page: Page, last: { id: string }): Page => (page.minId ? { ...page, minId: last.id } : { ...page, maxId: last.id })

/**
 * Reads a page without rows that the viewer may not see, newest first. A page that gets short is filled by further reads, a bounded number
 * of times. The cursors span all rows read, so that paging continues after a run of hidden ones.
 */
export const readVisible = async <Row extends { id: string }>(
  page: Page,
  { read, hydrate, visible }: Steps<Row>,
): Promise<{ rows: Row[]; hydrated: Hydrated[]; cursors: Cursors }> => {
  const hydrated: Hydrated[] = []
  const passed: Row[] = []
  const shown: Row[] = []
  let next = page
  for (let round = 0; round < MAX_ROUNDS && shown.length < page.limit; round++) {
    const rows = await read(next)
    const parts = await hydrate(rows)
    const seen = visible(rows, parts).slice(0, page.limit - shown.length)
    hydrated.push(parts)
    shown.push(...seen)
    // A full page ends at its last visible row: rows read after that belong to the next one.
    const end = shown.length >= page.limit ? rows.findIndex(({ id }) => id === seen.at(-1)?.id) + 1 : rows.length
    passed.push(...rows.slice(0, end))
    const last = rows.at(-1)
    if (!last || rows.length < page.limit) break
    next = after(page, last)
  }
  const { cursors } = cursorsOf(page, passed, ({ id }) => id)
  return { rows: page.minId ? shown.toReversed() : shown, hydrated, cursors }
}

type Counting<Row> = {
  /** Rows per read. */
  chunk: number
  /** The newest rows, below an id if given. */
  read(page: { limit: number; maxId: string | undefined }): Promise<Row[]>
  /** How many of the rows the viewer may see. */
  count(rows: readonly Row[]): Promise<number>
}

/**
 * Counts rows that the viewer may see, up to `max`. If hidden rows leave the count short, it reads further: as many rows as make `max`, and
 * a bounded number of times beyond.
 */
export const countVisible = async <Row extends { id: string }>(max: number, { chunk, read, count }: Counting<Row>): Promise<number> => {
  let counted = 0
  let maxId: string | undefined
  for (let left = Math.ceil(max / chunk) + MAX_ROUNDS - 1; left > 0 && counted < max; left--) {
    const rows = await read({ limit: chunk, maxId })
    if (rows.length > 0) counted += await count(rows)
    if (rows.length < chunk) break
    maxId = rows.at(-1)?.id
  }
  return Math.min(counted, max)
}

import type { Cursors } from '@rookery/contracts/common'
import { fillPage, type Page } from '@rookery/database'
import type { Hydrated } from './inbox.views.ts'

/** Reads of a count beyond those that would do without hidden rows. */
const SPARE_READS = 3

type Steps<Row> = {
  /** Reads a part of the list, in the page's order. */
  read(page: Page): Promise<Row[]>
  /** Reads what the rows refer to, as far as the viewer may see it. */
  hydrate(rows: readonly Row[]): Promise<Hydrated>
  /** The rows that the viewer may see. */
  visible(rows: readonly Row[], hydrated: Hydrated): Row[]
}

/** Reads a page without rows that the viewer may not see, newest first, as `fillPage`, with what its rows refer to. */
export const readVisible = async <Row extends { id: string }>(
  page: Page,
  { read, hydrate, visible }: Steps<Row>,
): Promise<{ rows: Row[]; hydrated: Hydrated[]; cursors: Cursors }> => {
  const hydrated: Hydrated[] = []
  const shown = async (rows: readonly Row[]) => {
    const parts = await hydrate(rows)
    hydrated.push(parts)
    return visible(rows, parts)
  }
  return { ...(await fillPage(page, { read, shown, cursorOf: ({ id }) => id })), hydrated }
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
  for (let left = Math.ceil(max / chunk) + SPARE_READS; left > 0 && counted < max; left--) {
    const rows = await read({ limit: chunk, maxId })
    if (rows.length > 0) counted += await count(rows)
    if (rows.length < chunk) break
    maxId = rows.at(-1)?.id
  }
  return Math.min(counted, max)
}

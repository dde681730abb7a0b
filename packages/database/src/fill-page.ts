import type { Cursors } from '@rookery/contracts/common'
import { cursorsOf, type Page } from './page.ts'

/** Maximum reads per page, and the minimum rows of each further read. */
const MAX_ROUNDS = 4
const READ_ON = 40

type Steps<Row> = {
  /** Reads a part of the list, in the page's order. */
  read(part: Page): Promise<Row[]>
  /** Leaves out the rows that the viewer may not see, in the same order; it may add to the others. */
  shown(rows: readonly Row[]): Promise<Row[]>
  cursorOf(row: Row): string
}

/**
 * Reads a page without the rows that the viewer may not see, newest first. A page that they leave short is filled by further reads, a bounded number of
 * times. The cursors span all rows read, so that paging continues after a run of hidden ones.
 */
export const fillPage = async <Row>(page: Page, { read, shown, cursorOf }: Steps<Row>): Promise<{ rows: Row[]; cursors: Cursors }> => {
  const passed: Row[] = []
  const filled: Row[] = []
  let part = page
  for (let round = 0; round < MAX_ROUNDS && filled.length < page.limit; round++) {
    const rows = await read(part)
    const seen = (await shown(rows)).slice(0, page.limit - filled.length)
    filled.push(...seen)
    // A full page ends at its last visible row: rows read after that belong to the next one.
    const last = filled.length >= page.limit ? cursorOf(seen.at(-1)!) : undefined
    const end = last === undefined ? rows.length : rows.findIndex((row) => cursorOf(row) === last) + 1
    passed.push(...rows.slice(0, end))
    if (rows.length < part.limit) break
    const cursor = cursorOf(rows.at(-1)!)
    part = { ...page, limit: Math.max(page.limit - filled.length, READ_ON), ...(page.minId ? { minId: cursor } : { maxId: cursor }) }
  }
  return { rows: page.minId ? filled.toReversed() : filled, cursors: cursorsOf(page, passed, cursorOf).cursors }
}

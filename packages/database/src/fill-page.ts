import type { Cursors } from '@rookery/contracts/common'
import { cursorsOf, type Page } from './page.ts'

/** Maximum reads of a page, to fill it past rows that the viewer may not see. */
export const MAX_READS = 4
/** Minimum rows of each further read. */
const READ_ON = 40

/** The part of a list to read next for a page that lacks rows: from where the last read ended, in the page's order. */
export const nextPart = (page: Page, lacking: number, end: string): Page => ({
  ...page,
  limit: Math.max(lacking, READ_ON),
  ...(page.minId ? { minId: end } : { maxId: end }),
})

type Steps<Row> = {
  /** Reads a part of the list, in the page's order. */
  read(part: Page): Promise<Row[]>
  /** Leaves out the rows that the viewer may not see, in the same order. */
  shown(rows: readonly Row[]): Promise<Row[]>
  cursorOf(row: Row): string
}

/**
 * Reads a page without the rows that the viewer may not see, newest first. A page that they leave short is filled by further reads, a bounded number of
 * times. The cursors span all rows read, so that paging continues after a run of hidden ones; they are empty if there was no row.
 */
export const fillPage = async <Row>(page: Page, { read, shown, cursorOf }: Steps<Row>): Promise<{ rows: Row[]; cursors: Cursors }> => {
  const passed: Row[] = []
  const filled: Row[] = []
  let part = page
  for (let round = 0; round < MAX_READS && filled.length < page.limit; round++) {
    const rows = await read(part)
    const seen = (await shown(rows)).slice(0, page.limit - filled.length)
    filled.push(...seen)
    // A full page ends at its last visible row: rows read after that belong to the next one.
    const last = filled.length >= page.limit ? cursorOf(seen.at(-1)!) : undefined
    const end = last === undefined ? rows.length : rows.findIndex((row) => cursorOf(row) === last) + 1
    passed.push(...rows.slice(0, end))
    if (rows.length < part.limit) break
    part = nextPart(page, page.limit - filled.length, cursorOf(rows.at(-1)!))
  }
  return { rows: page.minId ? filled.toReversed() : filled, cursors: cursorsOf(page, passed, cursorOf).cursors }
}

type RecordSteps<Row, Each> = Pick<Steps<Row>, 'read' | 'cursorOf'> & {
  /** The id of the record that a row stands for. */
  idOf(row: Row): string
  /** Reads records by id, without those that the viewer may not see. */
  records(ids: readonly string[]): Promise<readonly Each[]>
}

/** A page of the records that rows stand for, as `fillPage` reads it. */
export const fillRecords = async <Row, Each extends { id: string }>(
  page: Page,
  { read, cursorOf, idOf, records }: RecordSteps<Row, Each>,
): Promise<{ records: Each[]; cursors: Cursors }> => {
  const known = new Map<string, Each>()
  const shown = async (rows: readonly Row[]) => {
    const found = rows.length === 0 ? [] : await records(rows.map(idOf))
    for (const each of found) known.set(each.id, each)
    return rows.filter((row) => known.has(idOf(row)))
  }
  const { rows, cursors } = await fillPage(page, { read, shown, cursorOf })
  return { records: rows.map((row) => known.get(idOf(row))!), cursors }
}

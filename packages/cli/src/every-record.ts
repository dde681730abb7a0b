import type { Cursors } from '@rookery/contracts/common'

type Page = { maxId: string | undefined; limit: number }
type Part<Entry> = { records: readonly Entry[]; cursors: Cursors | undefined }

/** Records per call: the maximum of lists. */
const LIMIT = 200

/** Reads all pages of a list. */
export const everyRecord = async <Entry>(read: (page: Page) => Promise<Part<Entry>>): Promise<Entry[]> => {
  const all: Entry[] = []
  let maxId: string | undefined
  for (;;) {
    const { records, cursors } = await read({ maxId, limit: LIMIT })
    all.push(...records)
    if (!cursors?.isFull || !cursors.last || records.length === 0) return all
    maxId = cursors.last
  }
}

import type { StatusPage } from '@rookery/contracts/statuses'
import { MAX_READS, nextPart, type Page } from '@rookery/database'
import type { Skeleton } from './skeleton.store.ts'

/** Reads a part of a list of statuses, in the list's order. */
export type ReadPart = (page: Page) => Promise<Skeleton>

/** The items of a read that still fit on the page, the cursors of their rows, and the position at which a bounded read stopped. */
const takeFrom = (skeleton: Skeleton, presented: StatusPage, wanted: number) => {
  // Keep the same array for a shared page: what was derived from it is cached by identity.
  const items = presented.items.length > wanted ? presented.items.slice(0, wanted) : presented.items
  // A page that is full now ends at its last row: the rows after it belong to the next page.
  const isCut = items.length < presented.items.length
  const rows = isCut ? skeleton.ids.slice(0, skeleton.ids.indexOf(items.at(-1)!.id) + 1) : skeleton.ids
  return { items, cursors: rows.map((id) => skeleton.cursors.get(id) ?? id), readTo: isCut ? undefined : skeleton.readTo }
}

/** Reads a page of a list. If rules leave it short, it reads on from the last row, a bounded number of times. */
export const readPage = async (page: Page, read: ReadPart, present: (skeleton: Skeleton) => Promise<StatusPage>): Promise<StatusPage> => {
  const parts: StatusPage[] = []
  const cursors: string[] = []
  let readTo: string | undefined
  let wanted = page.limit
  let part: Page = page
  for (let round = 0; round < MAX_READS && wanted > 0; round++) {
    const skeleton = await read(part)
    const presented = await present(skeleton)
    const taken = takeFrom(skeleton, presented, wanted)
    parts.push({ ...presented, items: taken.items })
    wanted -= taken.items.length
    cursors.push(...taken.cursors)
    readTo = taken.readTo
    const isAll = skeleton.ids.length < part.limit && readTo === undefined
    const end = readTo ?? cursors.at(-1)
    if (isAll || end === undefined) break
    part = nextPart(page, wanted, end)
  }
  return joinParts(parts, { cursors, readTo }, page)
}

/** Joins the reads of a page: newest first, at most the limit, with cursors that continue even if everything was filtered out. */
const joinParts = (
  parts: readonly StatusPage[],
  { cursors, readTo }: { cursors: readonly string[]; readTo: string | undefined },
  page: Page,
): StatusPage => {
  const [only] = parts
  const isWhole = parts.length === 1 && only !== undefined
  const items = isWhole ? only.items : parts.flatMap((part) => part.items)
  const last = readTo ?? cursors.at(-1) ?? ''
  const first = cursors[0] ?? last
  const ordered = page.minId ? items.toReversed() : items
  return {
    items: ordered,
    statuses: isWhole ? only.statuses : [...new Map(parts.flatMap((part) => part.statuses).map((view) => [view.id, view])).values()],
    accounts: isWhole ? only.accounts : [...new Map(parts.flatMap((part) => part.accounts).map((view) => [view.id, view])).values()],
    cursors: {
      first: page.minId ? last : first,
      last: page.minId ? first : last,
      isFull: page.limit > 0 && (readTo !== undefined || cursors.length >= page.limit),
    },
    isRebuilding: false,
  }
}

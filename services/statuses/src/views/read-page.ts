import type { StatusPage } from '@rookery/contracts/statuses'
import type { Page } from '@rookery/database'
import type { Skeleton } from './skeleton.store.ts'

/** Reads a part of a list of statuses, in the list's order. */
export type ReadPart = (page: Page) => Promise<Skeleton>

/** How often a page is read on behind statuses that were left out, and the fewest rows of such a read. */
const MAX_ROUNDS = 4
const READ_ON = 40

/** What of a part belongs to a page that still wants so many items; the cursors of its rows, and as far as where it was looked. */
const takeFrom = (skeleton: Skeleton, presented: StatusPage, wanted: number) => {
  // A page that is shared stays the same list, by which what was made of it is found again.
  const items = presented.items.length > wanted ? presented.items.slice(0, wanted) : presented.items
  // A page that is full now ends at its last row: what was read behind that belongs to the next one.
  const isCut = items.length < presented.items.length
  const rows = isCut ? skeleton.ids.slice(0, skeleton.ids.indexOf(items.at(-1)!.id) + 1) : skeleton.ids
  return { items, cursors: rows.map((id) => skeleton.cursors.get(id) ?? id), readTo: isCut ? undefined : skeleton.readTo }
}

/** Reads a page of a list. When rules leave it short it reads on from the last row, a bounded number of times. */
export const readPage = async (page: Page, read: ReadPart, present: (skeleton: Skeleton) => Promise<StatusPage>): Promise<StatusPage> => {
  const parts: StatusPage[] = []
  const cursors: string[] = []
  let readTo: string | undefined
  let wanted = page.limit
  let part: Page = page
  for (let round = 0; round < MAX_ROUNDS && wanted > 0; round++) {
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
    part = { ...page, limit: Math.max(wanted, READ_ON), ...(page.minId ? { minId: end } : { maxId: end }) }
  }
  return joinParts(parts, { cursors, readTo }, page)
}

/** The rounds of a page as one: newest first, no longer than asked for, with cursors that lead on even where all was hidden. */
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

import type { StatusPage } from '@rookery/contracts/statuses'
import type { Page } from '@rookery/database'
import type { Skeleton } from './skeleton.store.ts'

/** Reads a part of a list of statuses, in the list's order. */
export type ReadPart = (page: Page) => Promise<Skeleton>

/** How often a page is read on behind statuses that were left out, and the fewest rows of such a read. */
const MAX_ROUNDS = 4
const READ_ON = 40

/** Reads a page of a list. When rules leave it short it reads on from the last row, a bounded number of times. */
export const readPage = async (page: Page, read: ReadPart, present: (skeleton: Skeleton) => Promise<StatusPage>): Promise<StatusPage> => {
  const parts: StatusPage[] = []
  const cursors: string[] = []
  let wanted = page.limit
  let part: Page = page
  for (let round = 0; round < MAX_ROUNDS && wanted > 0; round++) {
    const skeleton = await read(part)
    const presented = await present(skeleton)
    // A page that is shared stays the same list, by which what was made of it is found again.
    const items = presented.items.length > wanted ? presented.items.slice(0, wanted) : presented.items
    parts.push({ ...presented, items })
    wanted -= items.length
    // A page that is full now ends at its last row: what was read behind that belongs to the next one.
    const isCut = items.length < presented.items.length
    const rows = isCut ? skeleton.ids.slice(0, skeleton.ids.indexOf(items.at(-1)!.id) + 1) : skeleton.ids
    cursors.push(...rows.map((id) => skeleton.cursors.get(id) ?? id))
    const end = cursors.at(-1)
    if (skeleton.ids.length < part.limit || end === undefined) break
    part = { ...page, limit: Math.max(wanted, READ_ON), ...(page.minId ? { minId: end } : { maxId: end }) }
  }
  return joinParts(parts, cursors, page)
}

/** The rounds of a page as one: newest first, no longer than asked for, with cursors that lead on even where all was hidden. */
const joinParts = (parts: readonly StatusPage[], seen: readonly string[], page: Page): StatusPage => {
  const [only] = parts
  const isWhole = parts.length === 1 && only !== undefined
  const items = isWhole ? only.items : parts.flatMap((part) => part.items)
  const first = seen[0] ?? ''
  const last = seen.at(-1) ?? ''
  const ordered = page.minId ? items.toReversed() : items
  return {
    items: ordered,
    statuses: isWhole ? only.statuses : [...new Map(parts.flatMap((part) => part.statuses).map((view) => [view.id, view])).values()],
    accounts: isWhole ? only.accounts : [...new Map(parts.flatMap((part) => part.accounts).map((view) => [view.id, view])).values()],
    cursors: { first: page.minId ? last : first, last: page.minId ? first : last, isFull: seen.length >= page.limit && page.limit > 0 },
    isRebuilding: false,
  }
}

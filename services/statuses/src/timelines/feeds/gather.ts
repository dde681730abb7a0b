import type { Order } from '@rookery/database'
import type { Entry } from './feed.rules.ts'
import { firstLook, furthest, type Look, MAX_LOOKED, nextLook, type Seen } from './look.rules.ts'

/** The requested part of a home or list: below one id and above another, from the top or (asc) from the bottom, `count` entries. */
export type WantedPart = { below: string; above: string; count: number; order: Order }

/** The candidates that belong, and the extent of the scan. */
export type SeenEntries<Each = Entry> = Seen & { entries: Each[] }

/** Entries in the requested order, and whether there are no more. `readTo` is where a bounded search stopped without knowing that. */
export type Found<Each = Entry> = { entries: Each[]; isAll: boolean; readTo?: string }

/** Finds the id of a public or unlisted status, from the last candidate of a scan back to its beginning; undefined if there is none nearby. */
export type FindOpen = (order: Order, range: { from: string; to: string }) => Promise<string | undefined>

/** The range of a scan, reversed: from the beginning of the next one. */
const backwards = (order: Order, look: Look, next: Look) =>
  order === 'desc' ? { from: next.below, to: look.below } : { from: next.above, to: look.above }

/**
 * Scans candidates in parts, in the requested order, until enough belong or there are no more: usually one scan, another if too few belonged. With
 * `findOpen` it stops after a bounded number of candidates, at an id that the reader may know: that of an entry, or of a public or unlisted status.
 * If there is none nearby, it continues.
 */
export const gather = async <Each extends { statusId: string }>(
  { order, ...wanted }: WantedPart,
  seeIn: (look: Look) => Promise<SeenEntries<Each>>,
  findOpen: FindOpen = async () => undefined,
): Promise<Found<Each>> => {
  const entries: Each[] = []
  let looked = 0
  for (let look = firstLook({ ...wanted, order }); ; ) {
    const seen = await seeIn(look)
    entries.push(...seen.entries)
    looked += seen.looked
    if (entries.length >= wanted.count) return { entries, isAll: false }
    const next = nextLook(order, look, seen, wanted.count - entries.length)
    if (!next) return { entries, isAll: true }
    const openId = looked < MAX_LOOKED ? undefined : await findOpen(order, backwards(order, look, next))
    if (openId !== undefined) return { entries, isAll: false, readTo: furthest(order, openId, entries.at(-1)?.statusId) }
    look = next
  }
}

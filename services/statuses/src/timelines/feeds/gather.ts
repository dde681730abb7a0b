import type { Order } from '@rookery/database'
import type { Entry } from './feed.rules.ts'
import { firstLook, furthest, type Look, MAX_LOOKED, nextLook, type Seen } from './look.rules.ts'

/** The wanted part of a home or list: below one id and above another, from the top or (asc) from the bottom, `count` entries. */
export type WantedPart = { below: string; above: string; count: number; order: Order }

/** The candidates that belong, and how many were looked through. */
export type SeenEntries<Each = Entry> = Seen & { entries: Each[] }

/** Entries in the order asked for, and whether there are no more of them. `readTo` is where a bounded search ended without knowing that. */
export type Found<Each = Entry> = { entries: Each[]; isAll: boolean; readTo?: string }

/** Finds the id of a status that is open to all, from the last candidate of a look back to where it began; undefined where none is near. */
export type FindOpen = (order: Order, range: { from: string; to: string }) => Promise<string | undefined>

/** The range of a look, backwards: from where the next one begins. */
const backwards = (order: Order, look: Look, next: Look) =>
  order === 'desc' ? { from: next.below, to: look.below } : { from: next.above, to: look.above }

/**
 * Looks through candidates, part by part, until as many as wanted belong, in the order asked for, or there are no more. One look as a rule,
 * and another whenever too few candidates belonged. With `findOpen` it ends after so many, at an id that the reader may know: of an entry or
 * of a status that is open to all. Where there is none nearby it goes on.
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

import type { Order } from '@rookery/database'

/**
 * A part of what may belong on a page: below one status and above another, so many at most, of which so many that belong are wanted. `guess` is the id
 * as far as which these are thought to reach; the bound where the part begins where nothing is known.
 */
export type Look = { below: string; above: string; guess: string; size: number; count: number }

/** What a look is for. */
type Wanted = Omit<Look, 'guess' | 'size'> & { order: Order }

/** How much was looked through, and as far as where; null where there was nothing. */
export type Seen = { looked: number; lookedTo: string | null }

/** Statuses that may be looked through for so many that are wanted: some are replies to strangers and the like. Those behind the last wanted cost little. */
const looksAt = (count: number): number => count + Math.min(count + 20, 100)
const MAX_AT_ONCE = 5000

const lookOf = ({ below, above, count, order }: Wanted, size: number): Look => ({
  below,
  above,
  guess: order === 'desc' ? below : above,
  size: Math.min(size, MAX_AT_ONCE),
  count: Math.min(count, size, MAX_AT_ONCE),
})

/** The first part that is looked through for what is wanted. */
export const firstLook = (wanted: Wanted): Look => lookOf(wanted, looksAt(wanted.count))

/** The next part where so many are still wanted; undefined where all was looked through. */
export const nextLook = (order: Order, look: Look, { looked, lookedTo }: Seen, count: number): Look | undefined => {
  if (looked < look.size || lookedTo === null) return undefined
  const bounds = order === 'desc' ? { below: lookedTo, above: look.above } : { below: look.below, above: lookedTo }
  return lookOf({ ...bounds, count, order }, look.size * 4)
}

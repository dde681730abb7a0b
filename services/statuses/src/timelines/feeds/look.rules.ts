import type { Order } from '@rookery/database'

/**
 * One look through the candidates for a page: those below one id and above another, `size` at most, of which `count` that belong are wanted. `guess`
 * is the id where the look is expected to end; where nothing is known it is the bound where the look begins.
 */
export type Look = { below: string; above: string; guess: string; size: number; count: number }

/** The bounds and the order of a page, and how many statuses are wanted. */
type Wanted = Omit<Look, 'guess' | 'size'> & { order: Order }

/** How many candidates were looked through, and the last of them; null where there was none. */
export type Seen = { looked: number; lookedTo: string | null }

/** How many candidates to look through for so many wanted: some do not belong, such as replies to strangers. Candidates behind the last wanted one cost little. */
const looksAt = (count: number): number => count + Math.min(count + 20, 100)
const MAX_AT_ONCE = 5000
/** How many candidates a bounded search looks through, in several looks, where few belong. */
export const MAX_LOOKED = 10_000

const lookOf = ({ below, above, count, order }: Wanted, size: number): Look => ({
  below,
  above,
  guess: order === 'desc' ? below : above,
  size: Math.min(size, MAX_AT_ONCE),
  count: Math.min(count, size, MAX_AT_ONCE),
})

/** The first look for a page. */
export const firstLook = (wanted: Wanted): Look => lookOf(wanted, looksAt(wanted.count))

/** The next look where `count` are still missing; undefined where every candidate was looked through. */
export const nextLook = (order: Order, look: Look, { looked, lookedTo }: Seen, count: number): Look | undefined => {
  if (looked < look.size || lookedTo === null) return undefined
  const bounds = order === 'desc' ? { below: lookedTo, above: look.above } : { below: look.below, above: lookedTo }
  return lookOf({ ...bounds, count, order }, look.size * 4)
}

/** Of two ids the one that stands later in an order. */
export const furthest = (order: Order, one: string, other: string = one): string =>
  BigInt(one) < BigInt(other) === (order === 'desc') ? one : other

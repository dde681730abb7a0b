import type { Order } from '@rookery/database'

/**
 * One scan of candidates for a page: those below one id and above another, at most `size`, until `count` of them belong. `guess` is the id where the
 * scan is expected to end; if unknown, the bound where it begins.
 */
export type Look = { below: string; above: string; guess: string; size: number; count: number }

/** The bounds and the order of a page, and the number of statuses wanted. */
type Wanted = Omit<Look, 'guess' | 'size'> & { order: Order }

/** The number of scanned candidates, and the last of them; null if there was none. */
export type Seen = { looked: number; lookedTo: string | null }

/**
 * The number of candidates to scan for `count` wanted: some do not belong, such as replies to strangers. Candidates after the last wanted one cost
 * little.
 */
const looksAt = (count: number): number => count + Math.min(count + 20, 100)
const MAX_AT_ONCE = 5000
/** Maximum candidates of a bounded search, in several scans, if few belong. */
export const MAX_LOOKED = 10_000

const lookOf = ({ below, above, count, order }: Wanted, size: number): Look => ({
  below,
  above,
  guess: order === 'desc' ? below : above,
  size: Math.min(size, MAX_AT_ONCE),
  count: Math.min(count, size, MAX_AT_ONCE),
})

/** The first scan for a page. */
export const firstLook = (wanted: Wanted): Look => lookOf(wanted, looksAt(wanted.count))

/** The next scan if `count` are still missing; undefined if every candidate was scanned. */
export const nextLook = (order: Order, look: Look, { looked, lookedTo }: Seen, count: number): Look | undefined => {
  if (looked < look.size || lookedTo === null) return undefined
  const bounds = order === 'desc' ? { below: lookedTo, above: look.above } : { below: look.below, above: lookedTo }
  return lookOf({ ...bounds, count, order }, look.size * 4)
}

/** The later of two ids in an order. */
export const furthest = (order: Order, one: string, other: string = one): string =>
  BigInt(one) < BigInt(other) === (order === 'desc') ? one : other

import { KEPT_MILLISECONDS, MAX_LOG_BYTES, MAX_LOG_ENTRIES } from './limits.ts'
import type { Position } from './position.ts'

type Bounds = { readonly maxBytes: number; readonly maxEntries: number }

const LOG_BOUNDS: Bounds = { maxBytes: MAX_LOG_BYTES, maxEntries: MAX_LOG_ENTRIES }

/** Entries of the live log in the order of their positions. The oldest are evicted beyond the limits of bytes, number and age. */
export const createRecentEntries = <Entry extends { readonly position: Position }>(given: {
  /** The size of an entry, in bytes. */
  bytesOf(entry: Entry): number
  onEvict?(entry: Entry): void
  bounds?: Bounds
}) => {
  const { bytesOf, onEvict, bounds = LOG_BOUNDS } = given
  let entries: Entry[] = []
  let first = 0
  let bytes = 0

  const isBeyond = (oldest: Entry, now: number) =>
    bytes > bounds.maxBytes || entries.length - first > bounds.maxEntries || oldest.position.time < now - KEPT_MILLISECONDS
  const evict = (now: number) => {
    while (first < entries.length && isBeyond(entries[first]!, now)) {
      const oldest = entries[first++]!
      bytes -= bytesOf(oldest)
      onEvict?.(oldest)
    }
    if (first < 1024 || first * 2 < entries.length) return
    entries = entries.slice(first)
    first = 0
  }

  return {
    /** Evicts entries beyond the limits at the given time, in milliseconds. */
    evict,
    add(entry: Entry, now: number) {
      entries.push(entry)
      bytes += bytesOf(entry)
      evict(now)
    },
    all: (): readonly Entry[] => entries.slice(first),
    size: () => ({ messages: entries.length - first, bytes }),
    clear() {
      entries = []
      first = 0
      bytes = 0
    },
  }
}

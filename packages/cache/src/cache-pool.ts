import { LRUCache } from 'lru-cache'
import { bytesOf } from './bytes-of.ts'

/** A cache; entries may be evicted at any time. */
export type Cache<Value> = {
  /** The cached value; undefined if there is none or `isUsable` rejects it. Counts a hit or a miss. */
  get(key: string, isUsable?: (value: Value) => boolean): Value | undefined
  /** The cached value, without counting a hit or a miss and without marking the entry as used. */
  peek(key: string): Value | undefined
  /** Sets a value, replacing an earlier one; a value too large for the pool is not cached. */
  set(key: string, value: Value): void
}

/** Entries and bytes of a cache, and its hits and misses since the start. */
export type CacheUsage = { readonly cache: string; entries: number; bytes: number; hits: number; misses: number }

/** Caches that share one limit of bytes. */
export type CachePool = {
  readonly maxBytes: number
  /** Creates a cache. `sizeOf` gives the bytes a value keeps alive; `bytesOf` by default. */
  cache<Value extends object>(name: string, sizeOf?: (value: Value) => number): Cache<Value>
  /** The usage of each cache. */
  usage(): readonly CacheUsage[]
}

/** Overhead of an entry in the list and in the index, in bytes. */
const ENTRY_BYTES = 200
/** The largest share of a pool that one entry may take. */
const MAX_SHARE = 1 / 16

/** An entry is marked as used again only after this share of the pool was added since: marking each use takes longer than the lookup. */
const NOTED_AFTER = 1 / 64

type Entry = {
  readonly key: string
  readonly places: Map<string, Entry>
  readonly usage: CacheUsage
  readonly value: object
  readonly bytes: number
  /** How many entries had been added when this one was last marked as used. */
  usedAt: number
}

/** Caches that together keep at most `maxBytes` alive. The least recently used entry is evicted first. */
export const cachePool = ({ maxBytes }: { maxBytes: number }): CachePool => {
  const usages: CacheUsage[] = []
  let added = 0
  const entries = new LRUCache<Entry, Entry>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes * MAX_SHARE)),
    dispose: ({ key, places, usage, bytes }) => {
      places.delete(key)
      usage.entries--
      usage.bytes -= bytes
    },
  })

  const noteUse = (entry: Entry) => {
    if (added - entry.usedAt <= entries.size * NOTED_AFTER) return
    entry.usedAt = added
    entries.get(entry)
  }

  return {
    maxBytes,
    usage: () => usages,
    cache<Value extends object>(name: string, sizeOf: (value: Value) => number = bytesOf): Cache<Value> {
      const usage: CacheUsage = { cache: name, entries: 0, bytes: 0, hits: 0, misses: 0 }
      usages.push(usage)
      const places = new Map<string, Entry>()
      return {
        get(key, isUsable) {
          const entry = places.get(key)
          if (entry) noteUse(entry)
          const value = entry?.value as Value | undefined
          const isHit = value !== undefined && (isUsable === undefined || isUsable(value))
          if (isHit) usage.hits++
          else usage.misses++
          return isHit ? value : undefined
        },
        peek: (key) => places.get(key)?.value as Value | undefined,
        set(key, value) {
          const bytes = ENTRY_BYTES + key.length + sizeOf(value)
          const known = places.get(key)
          // The replaced entry goes with its place in the list.
          if (known) entries.delete(known)
          const entry = { key, places, usage, value, bytes, usedAt: ++added }
          entries.set(entry, entry, { size: bytes })
          if (!entries.has(entry)) return
          places.set(key, entry)
          usage.entries++
          usage.bytes += bytes
        },
      }
    },
  }
}

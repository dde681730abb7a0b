import { LRUCache } from 'lru-cache'
import { bytesOf } from './bytes-of.ts'

/** Values by key that may vanish at any time. */
export type Cache<Value> = {
  /** The value, unless it is unknown or rejected; counts a hit or a miss. */
  get(key: string, isUsable?: (value: Value) => boolean): Value | undefined
  /** The value, which counts as neither used nor asked for. */
  peek(key: string): Value | undefined
  /** Keeps a value in place of another; one that is too large for the pool is not kept. */
  set(key: string, value: Value): void
}

/** What a cache holds, and what it was of use since the start. */
export type CacheUsage = { readonly cache: string; entries: number; bytes: number; hits: number; misses: number }

/** Caches that share a bound. */
export type CachePool = {
  readonly maxBytes: number
  /** A cache of this name. `sizeOf` says what a value keeps alive, in bytes; bytesOf unless given. */
  cache<Value extends object>(name: string, sizeOf?: (value: Value) => number): Cache<Value>
  /** Of each cache. */
  usage(): readonly CacheUsage[]
}

/** What an entry takes beside its value: its places in the list and in the index, in bytes. */
const ENTRY_BYTES = 200
/** The part of a pool that one entry may take. */
const MAX_SHARE = 1 / 16

/** Entries that come behind one before it counts as used again, as a part of all: to note each use takes longer than to find the value. */
const NOTED_AFTER = 1 / 64

type Entry = {
  readonly key: string
  readonly places: Map<string, Entry>
  readonly usage: CacheUsage
  readonly value: object
  readonly bytes: number
  /** How many entries had been added when its use was last noted. */
  usedAt: number
}

/** A pool whose caches together keep so many bytes alive at most; what was used least recently goes first. */
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
          // What it replaces is forgotten with its place.
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

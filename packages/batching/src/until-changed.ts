/** Maximum age of an entry, in milliseconds, in case a change went unnoticed. */
const MAX_AGE = 1000

/** A cached value, the stamp read before it was loaded, and the time of that (performance.now()). */
export type Remembered<Value> = { readonly value: Value; readonly stamp: number; readonly at: number }

/** The cache that holds the entries; it may evict them at any time. */
export type Memory<Value> = {
  get(key: string, isUsable: (entry: Remembered<Value>) => boolean): Remembered<Value> | undefined
  set(key: string, entry: Remembered<Value>): void
}

type UntilChangedOptions<Value> = {
  /** A number that differs after each change of the loaded data and never repeats; undefined while changes may be missed. */
  stamp: () => number | undefined
  memory: Memory<Value>
  /** Which values are cached; all by default. */
  isKept?: (value: Value) => boolean
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/**
 * Caches the answers of a load until the stamp changes, for a second at most. A value loaded before a change is never returned after it.
 * Keys that the load does not answer are not cached.
 */
export const untilChanged = <Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
  { stamp: stampOf, memory, isKept = () => true, now = () => performance.now() }: UntilChangedOptions<Value>,
): ((keys: string[]) => Promise<Map<string, Value>>) => {
  const recall = (keys: readonly string[], stamp: number, at: number) => {
    const found = new Map<string, Value>()
    for (const key of keys) {
      const known = memory.get(key, (entry) => entry.stamp === stamp && at - entry.at < MAX_AGE)
      if (known) found.set(key, known.value)
    }
    return found
  }
  return async (keys) => {
    const stamp = stampOf()
    if (stamp === undefined) return load(keys)
    const at = now()
    const found = recall(keys, stamp, at)
    const missing = keys.filter((key) => !found.has(key))
    if (missing.length === 0) return found
    const loaded = await load(missing)
    // If a change came during the load, the stamp is outdated, and no later call uses these entries.
    for (const [key, value] of loaded) {
      found.set(key, value)
      if (isKept(value)) memory.set(key, { value, stamp, at })
    }
    return found
  }
}

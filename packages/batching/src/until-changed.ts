/** How long something may be remembered that could have changed unnoticed, in milliseconds. */
const MAX_AGE = 1000

/** A value, the stamp that held when it was asked for, and when that was (performance.now()). */
export type Remembered<Value> = { readonly value: Value; readonly stamp: number; readonly at: number }

/** Where values are remembered: a cache, which may forget them at any time. */
export type Memory<Value> = {
  get(key: string, isUsable: (entry: Remembered<Value>) => boolean): Remembered<Value> | undefined
  set(key: string, entry: Remembered<Value>): void
}

type UntilChangedOptions<Value> = {
  /** A number that differs after each change of the loaded data and never repeats; undefined while changes may go unseen. */
  stamp: () => number | undefined
  memory: Memory<Value>
  /** Which values are remembered; all unless given. */
  isKept?: (value: Value) => boolean
  /** The time in milliseconds, by a clock that never goes back. */
  now?: () => number
}

/**
 * Remembers the answers of a load until the stamp changes, for a second at most. An answer that was asked for before a change is not given after
 * it, and keys that the load does not answer are not remembered.
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
    // Of a load that a change came into the stamp is past: no one uses what is remembered of it.
    for (const [key, value] of loaded) {
      found.set(key, value)
      if (isKept(value)) memory.set(key, { value, stamp, at })
    }
    return found
  }
}

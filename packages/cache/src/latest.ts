/** A small cache that keeps the values set last. */
type Latest<Value> = { get(key: string): Value | undefined; set(key: string, value: Value): void }

/**
 * A cache of about `max` values that always keeps at least the last `max / 2` set. For small values that are only hints and need not count
 * towards a pool's bytes. Two generations, each a map: the older one is dropped as a whole, so that setting a value touches no other.
 */
export const latest = <Value>(max: number): Latest<Value> => {
  const half = Math.floor(max / 2)
  let newer = new Map<string, Value>()
  let older = new Map<string, Value>()
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set(key, value) {
      newer.set(key, value)
      if (newer.size <= half) return
      older = newer
      newer = new Map()
    },
  }
}

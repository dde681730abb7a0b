/** A few values by key, of which those that were set last are kept. */
type Latest<Value> = { get(key: string): Value | undefined; set(key: string, value: Value): void }

/**
 * About `max` values, at least the last half as many: for small ones that are only a guess, and need not be counted with what a pool keeps. Those set
 * last and those before them are a map each, and the older one goes as a whole: setting a value again touches no other.
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

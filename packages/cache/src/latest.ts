/** A few values by key, of which those that were set last are kept. */
type Latest<Value> = { get(key: string): Value | undefined; set(key: string, value: Value): void }

/** So many values at most: for small ones that are only a guess, and need not be counted with what a pool keeps. */
export const latest = <Value>(max: number): Latest<Value> => {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size > max) values.delete(values.keys().next().value!)
    },
  }
}

/**
 * Memoizes `make` for the last `max` inputs, for callers that share them. A WeakMap of large values was slower: they survived garbage
 * collections, which pages waited for.
 */
export const onceEach = <Things extends readonly unknown[], Value>(
  make: (...things: Things) => Value,
  max = 1,
): ((...things: Things) => Value) => {
  const made: { things: Things; value: Value }[] = []
  return (...things) => {
    const known = made.find((each) => each.things.every((thing, index) => thing === things[index]))
    if (known) return known.value
    const value = make(...things)
    if (made.unshift({ things, value }) > max) made.pop()
    return value
  }
}

/**
 * Memoizes `make` for the last `max` inputs, for callers that share them. A WeakMap of large values was slower: they survived garbage
 * collections, which pages waited for.
 */
export const memoize = <Inputs extends readonly unknown[], Value>(
  make: (...inputs: Inputs) => Value,
  max = 1,
): ((...inputs: Inputs) => Value) => {
  const made: { inputs: Inputs; value: Value }[] = []
  return (...inputs) => {
    const known = made.find((each) => each.inputs.every((input, index) => input === inputs[index]))
    if (known) return known.value
    const value = make(...inputs)
    if (made.unshift({ inputs, value }) > max) made.pop()
    return value
  }
}

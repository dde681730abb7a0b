/**
 * What is made of things, made once for all who share them and come one after the other. The last ones alone are remembered: with a WeakMap of large values
 * the collector kept them, and pages waited for it.
 */
export const onceEach = <Things extends readonly unknown[], Value>(make: (...things: Things) => Value): ((...things: Things) => Value) => {
  let last: { things: Things; value: Value } | undefined
  return (...things) => {
    if (!last?.things.every((thing, index) => thing === things[index])) last = { things, value: make(...things) }
    return last.value
  }
}

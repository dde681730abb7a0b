/**
 * What is made of a thing, made once for all who share it and come one after the other. The last one alone is remembered: with a WeakMap of large values
 * the collector kept them, and pages waited for it.
 */
export const onceEach = <Thing, Value>(make: (thing: Thing) => Value): ((thing: Thing) => Value) => {
  let last: { thing: Thing; value: Value } | undefined
  return (thing) => {
    if (last?.thing !== thing) last = { thing, value: make(thing) }
    return last.value
  }
}

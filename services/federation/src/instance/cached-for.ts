/** Reads a value at most once in so many milliseconds. When reading fails, the last value is used and `onStale` is called. */
export const cachedFor = <Value>(given: {
  milliseconds: number
  now: () => number
  read: () => Promise<Value>
  onStale: (error: unknown) => void
}): (() => Promise<Value>) => {
  let current: { at: number; value: Promise<Value> } | undefined
  let last: { value: Value } | undefined

  const read = async () => {
    try {
      last = { value: await given.read() }
      return last.value
    } catch (error) {
      if (last) {
        given.onStale(error)
        return last.value
      }
      // Nothing to show yet: the next caller asks again.
      current = undefined
      throw error
    }
  }

  return () => {
    if (!current || current.at + given.milliseconds <= given.now()) current = { at: given.now(), value: read() }
    return current.value
  }
}

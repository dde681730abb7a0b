/** Caches a value for some milliseconds. If a read fails, the last value is returned and `onStale` is called. */
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
      // There is no value yet, so the next caller reads again.
      current = undefined
      throw error
    }
  }

  return () => {
    if (!current || current.at + given.milliseconds <= given.now()) current = { at: given.now(), value: read() }
    return current.value
  }
}

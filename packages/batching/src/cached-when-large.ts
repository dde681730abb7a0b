import { singleFlight } from './single-flight.ts'
import { type StaleWhileRevalidateOptions, staleWhileRevalidate } from './stale-while-revalidate.ts'

type Options<Value> = StaleWhileRevalidateOptions & {
  /** Whether a value took long enough to read to be cached. */
  isLarge(value: Value): boolean
}

/**
 * Reads values by key and caches the large ones (stale-while-revalidate, RFC 5861): statistics of a small server change with every request, those
 * of a large one are not counted for each. Concurrent readers of a value that is not cached share a read.
 */
export const cachedWhenLarge = <Value>({
  isLarge,
  ...options
}: Options<Value>): ((key: string, read: () => Promise<Value>) => Promise<Value>) => {
  const cached = staleWhileRevalidate<Value>(options)
  const share = singleFlight<Value>()
  return async (key, read) => {
    const getCached = () => cached.get(key, read)
    const readAndCache = async () => {
      const value = await read()
      if (isLarge(value)) cached.set(key, value)
      return value
    }
    return getCached() ?? share(key, async () => getCached() ?? readAndCache())
  }
}

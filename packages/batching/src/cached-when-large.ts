import { singleFlight } from './single-flight.ts'
import { type StaleWhileRevalidateOptions, staleWhileRevalidate } from './stale-while-revalidate.ts'

const MINUTE = 60_000
const AGES = { freshFor: MINUTE, ttl: 60 * MINUTE }

type Options<Value> = Pick<StaleWhileRevalidateOptions, 'max' | 'now'> & {
  /** Whether a value took long enough to read to be cached. */
  isLarge(value: Value): boolean
}

/**
 * Reads values by key and caches the large ones: statistics of a small server are read for every request, those of a large one at most once a
 * minute (stale-while-revalidate, RFC 5861: the first reader after a quiet time gets a value up to an hour old). Concurrent readers of a value that
 * is not cached share a read.
 */
export const cachedWhenLarge = <Value>({
  isLarge,
  ...options
}: Options<Value>): ((key: string, read: () => Promise<Value>) => Promise<Value>) => {
  const cached = staleWhileRevalidate<Value>({ ...AGES, ...options })
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

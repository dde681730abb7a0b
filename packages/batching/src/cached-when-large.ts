import { type RevalidatedOptions, revalidated } from './revalidated.ts'
import { singleFlight } from './single-flight.ts'

type Options<Value> = RevalidatedOptions & {
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
  const cached = revalidated<Value>(options)
  const share = singleFlight<Value>()
  return async (key, read) => {
    const peek = () => cached.peek(key, read)
    const readAndCache = async () => {
      const value = await read()
      if (isLarge(value)) cached.keep(key, value)
      return value
    }
    return peek() ?? share(key, async () => peek() ?? readAndCache())
  }
}

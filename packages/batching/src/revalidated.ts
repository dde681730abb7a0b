/** A cache whose values may be stale. */
type Revalidated<Value> = {
  /**
   * The cached value of a key; undefined if there is none or it has expired. A stale value is returned while `read` fetches a newer one.
   */
  peek(key: string, read: () => Promise<Value | undefined>): Value | undefined
  keep(key: string, value: Value): void
}

export type RevalidatedOptions = {
  /** Maximum keys; the one set longest ago is evicted first. */
  max: number
  /** How long a value is fresh, and how long it is cached at all, in milliseconds. */
  freshFor: number
  keptFor: number
  now: () => number
}

type Kept<Value> = { value: Value; readAt: number; isReading: boolean }

/**
 * Caches values that are costly to read and may be stale (stale-while-revalidate, RFC 5861). Callers never wait for a refresh. If the
 * refresh fails, the stale value stays until it expires; if it finds no value any more (undefined), the entry is deleted.
 */
export const revalidated = <Value>({ max, freshFor, keptFor, now }: RevalidatedOptions): Revalidated<Value> => {
  const values = new Map<string, Kept<Value>>()

  const keep = (key: string, value: Value) => {
    values.delete(key)
    const [oldest] = values.keys()
    if (values.size >= max && oldest !== undefined) values.delete(oldest)
    values.set(key, { value, readAt: now(), isReading: false })
  }

  const renew = async (key: string, kept: Kept<Value>, read: () => Promise<Value | undefined>) => {
    kept.isReading = true
    try {
      const value = await read()
      if (value === undefined) values.delete(key)
      else keep(key, value)
    } catch {
      kept.isReading = false
    }
  }

  return {
    keep,
    peek(key, read) {
      const kept = values.get(key)
      if (!kept) return undefined
      const age = now() - kept.readAt
      if (age >= keptFor) {
        values.delete(key)
        return undefined
      }
      if (age >= freshFor && !kept.isReading) void renew(key, kept, read)
      return kept.value
    },
  }
}

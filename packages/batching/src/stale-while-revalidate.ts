/** A cache whose values may be stale. */
type StaleCache<Value> = {
  /**
   * The cached value of a key; undefined if there is none or it has expired. A stale value is returned while `read` fetches a newer one.
   */
  get(key: string, read: () => Promise<Value | undefined>): Value | undefined
  set(key: string, value: Value): void
}

export type StaleWhileRevalidateOptions = {
  /** Maximum keys; the one set longest ago is evicted first. */
  max: number
  /** How long a value is fresh, and after how long it expires, in milliseconds. */
  freshFor: number
  ttl: number
  now: () => number
}

type Entry<Value> = { value: Value; readAt: number; isRefreshing: boolean }

/**
 * Caches values that are costly to read and may be stale (stale-while-revalidate, RFC 5861). Callers never wait for a refresh. If the
 * refresh fails, the stale value stays until it expires; if it finds no value any more (undefined), the entry is deleted.
 */
export const staleWhileRevalidate = <Value>({ max, freshFor, ttl, now }: StaleWhileRevalidateOptions): StaleCache<Value> => {
  const entries = new Map<string, Entry<Value>>()

  const set = (key: string, value: Value) => {
    entries.delete(key)
    const [oldest] = entries.keys()
    if (entries.size >= max && oldest !== undefined) entries.delete(oldest)
    entries.set(key, { value, readAt: now(), isRefreshing: false })
  }

  const refresh = async (key: string, entry: Entry<Value>, read: () => Promise<Value | undefined>) => {
    entry.isRefreshing = true
    try {
      const value = await read()
      if (value === undefined) entries.delete(key)
      else set(key, value)
    } catch {
      entry.isRefreshing = false
    }
  }

  return {
    set,
    get(key, read) {
      const entry = entries.get(key)
      if (!entry) return undefined
      const age = now() - entry.readAt
      if (age >= ttl) {
        entries.delete(key)
        return undefined
      }
      if (age >= freshFor && !entry.isRefreshing) void refresh(key, entry, read)
      return entry.value
    },
  }
}

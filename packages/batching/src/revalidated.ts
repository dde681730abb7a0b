/** Values by key that may be somewhat old. */
type Revalidated<Value> = {
  /** The value of a key, unless there is none or it is too old. One that is no longer fresh is given while `read` gets a newer one. */
  peek(key: string, read: () => Promise<Value | undefined>): Value | undefined
  keep(key: string, value: Value): void
}

export type RevalidatedOptions = {
  /** Keys at most; the one kept longest ago goes first. */
  max: number
  /** How long a value is given without reading a newer one, and at all, in milliseconds. */
  freshFor: number
  keptFor: number
  now: () => number
}

type Kept<Value> = { value: Value; readAt: number; isReading: boolean }

/**
 * Caches values that are costly to read and may be somewhat old (stale while revalidate, RFC 5861). No caller waits for a newer value. If reading
 * one fails, the old value stays until it is too old; if there is none any more (undefined), the old value is dropped.
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

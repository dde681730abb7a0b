import type { Cache } from '@rookery/cache'

/** Something that is the same for every viewer until its version rises. */
export type Versioned = { readonly id: string; readonly version: number }

/** Records by (id, version): used while new enough, loaded in one batch when not, never invalidated. */
export type VersionedCache<Value extends Versioned> = {
  /** The records wanted, each at least at its version; those that are gone are missing. At most one statement. */
  hydrate(wanted: ReadonlyMap<string, number>): Promise<Map<string, Value>>
  /** Keeps what a writer has just committed. */
  put(value: Value): void
}

/**
 * A versioned cache over `load`. A record is kept under the version it was loaded at, never over a newer one. The answer holds the records
 * themselves, since the cache may let go of one while the page is still being assembled.
 */
export const versionedCache = <Value extends Versioned>(
  load: (ids: string[]) => Promise<Value[]>,
  cache: Cache<Value>,
): VersionedCache<Value> => {
  const put = (value: Value) => {
    const known = cache.peek(value.id)
    if (!known || known.version < value.version) cache.set(value.id, value)
  }
  return {
    put,
    async hydrate(wanted) {
      const found = new Map<string, Value>()
      const missing: string[] = []
      for (const [id, version] of wanted) {
        const known = cache.get(id, (value) => value.version >= version)
        if (known) found.set(id, known)
        else missing.push(id)
      }
      if (missing.length > 0) {
        for (const value of await load(missing)) {
          put(value)
          found.set(value.id, value)
        }
      }
      return found
    },
  }
}

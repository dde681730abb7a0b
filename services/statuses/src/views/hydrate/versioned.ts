import { PassingMap } from '@rookery/batching'
import type { Cache } from '@rookery/cache'

/** A record that is the same for every viewer until its version changes. */
type Versioned = { readonly id: string; readonly version: number }

/** A cache of records by (id, version): used if new enough, otherwise loaded in one batch, never invalidated. */
export type VersionedCache<Value extends Versioned> = {
  /**
   * The wanted records, each at least at its version; deleted ones are missing. At most one statement, two if a concurrent load was sent too early.
   */
  hydrate(wanted: ReadonlyMap<string, number>): Promise<Map<string, Value>>
  /** Stores a record that was just committed. */
  put(value: Value): void
}

type Loaded<Value> = ReadonlyMap<string, Value>

/**
 * A versioned cache over `load`. A record is stored under the version it was loaded at, and never replaces a newer one. The result holds the records
 * themselves, since the cache may evict one while the page is being presented. A load in progress is shared; if it fails, or was sent before the
 * wanted version, the record is loaded again.
 */
export const versionedCache = <Value extends Versioned>(
  load: (ids: string[]) => Promise<Value[]>,
  cache: Cache<Value>,
): VersionedCache<Value> => {
  const underWay = new PassingMap<string, Promise<Loaded<Value>>>()

  const put = (value: Value) => {
    const known = cache.peek(value.id)
    if (!known || known.version < value.version) cache.set(value.id, value)
  }

  const start = async (ids: string[]): Promise<Loaded<Value>> => {
    if (ids.length === 0) return new Map()
    const loading = load(ids).then((values) => {
      for (const value of values) put(value)
      return new Map(values.map((value) => [value.id, value]))
    })
    for (const id of ids) underWay.set(id, loading)
    try {
      return await loading
    } finally {
      for (const id of ids) if (underWay.get(id) === loading) underWay.delete(id)
    }
  }

  /** The records that concurrent loads return, if new enough. */
  const join = async (ids: readonly string[], wanted: ReadonlyMap<string, number>): Promise<Loaded<Value>> => {
    const found = new Map<string, Value>()
    const waits = ids.map(async (id) => {
      const value = (await underWay.get(id)?.catch(() => undefined))?.get(id)
      if (value && value.version >= wanted.get(id)!) found.set(id, value)
    })
    await Promise.all(waits)
    return found
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
      if (missing.length === 0) return found
      const { joined = [], own = [] } = Object.groupBy(missing, (id) => (underWay.has(id) ? 'joined' : 'own'))
      const [brought, loaded] = await Promise.all([join(joined, wanted), start(own)])
      const again = await start(joined.filter((id) => !brought.has(id)))
      for (const values of [brought, loaded, again]) for (const [id, value] of values) found.set(id, value)
      return found
    },
  }
}

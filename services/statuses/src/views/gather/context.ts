import { bytesOf, type CachePool } from '@rookery/cache'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { compileFilters, type ViewerFilters } from '../../content/keywords/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type ContextRow, readContexts } from '../context.store.ts'

/** What shapes reading for one viewer; of use while its version is at least the skeleton's and `until` has not come. */
export type ViewerContext = {
  readonly version: number
  /** Milliseconds since 1970 when a mute or a filter ends and the context must be read again. */
  readonly until: number
  readonly blocking: ReadonlySet<string>
  readonly blockedBy: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
  /** Undefined for whoever filters nothing. */
  readonly filters: ViewerFilters | undefined
}

/** Whoever reads without an account. */
export const ANONYMOUS: ViewerContext = {
  version: 0,
  until: Number.POSITIVE_INFINITY,
  blocking: new Set(),
  blockedBy: new Set(),
  muted: new Set(),
  filters: undefined,
}

const idsOf = (array: string) => new Set(array.length > 2 ? array.slice(1, -1).split(',') : [])

const contextOf = ([_id, blocking, blockedBy, muted, filters, version]: ContextRow): ViewerContext => {
  const mutes = muted ? muted.split(',').map((entry) => entry.split(':') as [string, string]) : []
  const ends = [...mutes.map(([, milliseconds]) => Number(milliseconds)), ...(filters ?? []).map(({ expiresAt }) => expiresAt ?? 0)]
  return {
    version,
    until: ends.filter((end) => end > 0).reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY),
    blocking: idsOf(blocking),
    blockedBy: idsOf(blockedBy),
    muted: new Set(mutes.map(([id]) => id)),
    filters: filters ? compileFilters(filters) : undefined,
  }
}

/** Contexts of viewers, by the version each must have at least. */
export type Contexts = {
  /** One viewer's; ANONYMOUS for nobody. */
  of(viewerId: string, version: number | undefined): Promise<ViewerContext>
  /** Those of many, from memory where what is there is new enough, else with one statement. */
  gather(wanted: ReadonlyMap<string, number>): Promise<Map<string, ViewerContext>>
}

/** Contexts, kept in memory. */
export const gatherContexts = (given: { database: Database<StatusesTables>; clock: Clock; pool: CachePool }): Contexts => {
  const cache = given.pool.cache<ViewerContext>('contexts', (context) => bytesOf(context) + (context.filters?.bytes ?? 0))

  const load = async (ids: string[], now: number, found: Map<string, ViewerContext>) => {
    for (const row of await readContexts(given.database, [ids, new Date(now)])) {
      const [id] = row
      const context = contextOf(row)
      const known = cache.peek(id)
      if (!known || known.version <= context.version) cache.set(id, context)
      found.set(id, context)
    }
  }

  const gather = async (wanted: ReadonlyMap<string, number>) => {
    const now = given.clock.now()
    const found = new Map<string, ViewerContext>()
    const missing: string[] = []
    for (const [id, version] of wanted) {
      const known = cache.get(id, (context) => context.version >= version && context.until > now)
      if (known) found.set(id, known)
      else missing.push(id)
    }
    if (missing.length > 0) await load(missing, now, found)
    return found
  }

  return {
    gather,
    of: async (viewerId, version) =>
      viewerId && version !== undefined ? ((await gather(new Map([[viewerId, version]]))).get(viewerId) ?? ANONYMOUS) : ANONYMOUS,
  }
}

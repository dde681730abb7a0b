import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { LRUCache } from 'lru-cache'
import type { StatusesTables } from '../../database/schema.ts'
import { type ContextRow, readContext } from '../context.store.ts'

/** What shapes reading for one viewer; of use while its version is at least the skeleton's and `until` has not come. */
export type ViewerContext = {
  readonly version: number
  /** Milliseconds since 1970 when a mute ends and the context must be read again. */
  readonly until: number
  readonly blocking: ReadonlySet<string>
  readonly blockedBy: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
}

/** Whoever reads without an account. */
export const ANONYMOUS: ViewerContext = {
  version: 0,
  until: Number.POSITIVE_INFINITY,
  blocking: new Set(),
  blockedBy: new Set(),
  muted: new Set(),
}

const idsOf = (array: string) => new Set(array.length > 2 ? array.slice(1, -1).split(',') : [])

const contextOf = ([blocking, blockedBy, muted, version]: ContextRow): ViewerContext => {
  const mutes = muted ? muted.split(',').map((entry) => entry.split(':') as [string, string]) : []
  const ends = mutes.map(([, milliseconds]) => Number(milliseconds)).filter((end) => end > 0)
  return {
    version,
    until: Math.min(Number.POSITIVE_INFINITY, ...ends),
    blocking: idsOf(blocking),
    blockedBy: idsOf(blockedBy),
    muted: new Set(mutes.map(([id]) => id)),
  }
}

/** Contexts by version: `at` answers from memory when what is there is new enough, else with one statement. */
export const gatherContexts = (given: { database: Database<StatusesTables>; clock: Clock; cacheEntries: number }) => {
  const cache = new LRUCache<string, ViewerContext>({ max: given.cacheEntries })
  return async (viewerId: string, version: number | undefined): Promise<ViewerContext> => {
    if (!viewerId || version === undefined) return ANONYMOUS
    const now = given.clock.now()
    const known = cache.get(viewerId)
    if (known && known.version >= version && known.until > now) return known
    const [row] = await readContext(given.database, [viewerId, new Date(now)])
    if (!row) return ANONYMOUS
    const context = contextOf(row)
    if (!known || known.version <= context.version) cache.set(viewerId, context)
    return context
  }
}

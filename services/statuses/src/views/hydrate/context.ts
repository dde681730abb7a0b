import { bytesOf, type CachePool } from '@rookery/cache'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { compileFilters, type ViewerFilters } from '../../content/keywords/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type ContextRow, readContexts } from '../context.store.ts'

/** The blocks, mutes and filters of one viewer; valid while its version is at least the skeleton's, until `until`. */
export type ViewerContext = {
  readonly version: number
  /** When a mute or a filter expires and the context must be read again, in milliseconds since 1970. */
  readonly until: number
  readonly blocking: ReadonlySet<string>
  readonly blockedBy: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
  readonly blockedDomains: ReadonlySet<string>
  /** Undefined for a viewer without filters. */
  readonly filters: ViewerFilters | undefined
}

/** A viewer without an account. */
export const ANONYMOUS: ViewerContext = {
  version: 0,
  until: Number.POSITIVE_INFINITY,
  blocking: new Set(),
  blockedBy: new Set(),
  muted: new Set(),
  blockedDomains: new Set(),
  filters: undefined,
}

const contextOf = ({ blocking, blockedBy, muted, blockedDomains, muteEndsAt, filters, contextVersion }: ContextRow): ViewerContext => {
  const ends = [muteEndsAt, ...(filters ?? []).map(({ expiresAt }) => expiresAt)]
  return {
    version: contextVersion,
    until: ends.reduce<number>((first, end) => Math.min(first, end ?? first), Number.POSITIVE_INFINITY),
    blocking: new Set(blocking),
    blockedBy: new Set(blockedBy),
    muted: new Set(muted),
    blockedDomains: new Set(blockedDomains),
    filters: filters ? compileFilters(filters) : undefined,
  }
}

/** Contexts of viewers, each at least at a given version. */
type Contexts = {
  /** The context of one viewer; ANONYMOUS for an empty id. */
  of(viewerId: string, version: number | undefined): Promise<ViewerContext>
  /** The contexts of many viewers: from the cache if new enough, the rest in one statement. */
  hydrate(wanted: ReadonlyMap<string, number>): Promise<Map<string, ViewerContext>>
}

/** Contexts over a cache. */
export const hydrateContexts = (deps: { database: Database<StatusesTables>; clock: Clock; pool: CachePool }): Contexts => {
  const cache = deps.pool.cache<ViewerContext>('contexts', (context) => bytesOf(context) + (context.filters?.bytes ?? 0))

  const load = async (ids: string[], now: number, found: Map<string, ViewerContext>) => {
    for (const row of await readContexts(deps.database, { viewerIds: ids, now: new Date(now) })) {
      const { id } = row
      const context = contextOf(row)
      const known = cache.peek(id)
      if (!known || known.version <= context.version) cache.set(id, context)
      found.set(id, context)
    }
  }

  const hydrate = async (wanted: ReadonlyMap<string, number>) => {
    const now = deps.clock.now()
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
    hydrate,
    of: async (viewerId, version) =>
      viewerId && version !== undefined ? ((await hydrate(new Map([[viewerId, version]]))).get(viewerId) ?? ANONYMOUS) : ANONYMOUS,
  }
}

import { staleWhileRevalidate } from '@rookery/batching'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type ReadSuggestionsRequest, type Suggestion, SuggestionSource } from '@rookery/contracts/statuses'
import { type Database, rowsWithin } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { mostFollowed } from './most-followed.ts'
import {
  type Candidates,
  type NearRow,
  readKeptSuggestionRows,
  readNear,
  readSuggestionRows,
  type SuggestionRow,
} from './suggestion.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** Maximum follows of the viewer that are examined, and follows of each: enough to rank by mutuals, bounded for someone who follows 5,000. */
const MAX_NEAR = { friends: 300, ofEach: 100 }

const sourcesOf = ({ isPicked, mutuals, isPopular }: SuggestionRow): SuggestionSource[] => [
  ...(isPicked ? [SuggestionSource.FEATURED] : []),
  ...(mutuals > 0 ? [SuggestionSource.FRIENDS_OF_FRIENDS] : []),
  ...(isPopular ? [SuggestionSource.MOST_FOLLOWED] : []),
]

const MINUTE = 60_000
/** Cache of friends of friends by viewer, and maximum entries per viewer. */
const KEPT = { max: 5000, freshFor: 15 * MINUTE, ttl: 24 * 60 * MINUTE }
const KEPT_OF_EACH = 200
/** Extra candidates beyond a page: the viewer may have followed some of them. */
const SPARE = 20

/** The first `count` candidates: friends of friends, those with most mutuals first, then the most followed. */
const candidatesOf = (near: readonly NearRow[], most: ReadonlyMap<string, number>, count: number): Candidates => {
  const mutuals = new Map(near.slice(0, count).map((row) => [row.id, row.mutuals]))
  for (const id of most.keys()) {
    if (mutuals.size >= count) break
    if (!mutuals.has(id)) mutuals.set(id, 0)
  }
  const ids = [...mutuals.keys()]
  return { ids, mutuals: [...mutuals.values()], popularity: ids.map((id) => most.get(id) ?? null) }
}

/**
 * Suggestions of accounts to follow, with the reasons: staff picks, friends of friends, most followed (beyond-the-spec 1.16). One statement with a
 * warm cache, four with a cold one, however many the viewer follows. If the viewer's friends follow many, friends of friends may be a quarter of an
 * hour old.
 */
export const readSuggestions = ({ database, views, clock }: Deps) => {
  const popular = mostFollowed({ database, clock })
  const cached = staleWhileRevalidate<readonly NearRow[]>({ ...KEPT, now: () => clock.now() })

  const readRows = async ({ viewerId, limit, offset }: { viewerId: string; limit: number; offset: number }) => {
    const wanted = { viewerId, now: new Date(clock.now()), limit, offset }
    const read = () => readNear(database, { ...wanted, ...MAX_NEAR, limit: KEPT_OF_EACH })
    const most = await popular()
    const near = cached.get(viewerId, read)
    if (near) {
      const enough = offset + limit + SPARE
      const candidates = candidatesOf(near, most, enough)
      const rows = await readKeptSuggestionRows(database, { ...wanted, ...candidates })
      const isAll = near.length < KEPT_OF_EACH && candidates.ids.length < enough
      if (rows.length === limit || isAll) return rows
    }
    const rows = await readSuggestionRows(database, { ...wanted, popular: [...most.keys()], ...MAX_NEAR })
    if (!near && rows[0]?.isMany) cached.set(viewerId, await read())
    return rows
  }

  return async ({ viewerId, limit, offset }: ReadSuggestionsRequest): Promise<Suggestion[]> => {
    const rows = await readRows({ viewerId, limit: rowsWithin(PAGE_SIZES.people, limit), offset })
    const accounts = new Map((await views.accountsAt(rows)).map((account) => [account.id, account]))
    return rows.flatMap((row) => {
      const account = accounts.get(row.id)
      return account ? [{ account, sources: sourcesOf(row) }] : []
    })
  }
}

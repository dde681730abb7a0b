import { type Database, MAX_ID } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { type Range, readEveryFollower, writeFeeds } from './feed.store.ts'

/** Followers per range: about 25 ms of CPU time. */
const RANGE = 5000
/** Concurrent transactions: each takes a connection and a CPU of Postgres. */
const AT_ONCE = 2

/** Divides all accounts into ranges with about equal numbers of these authors' followers. */
const rangesOf = async ({ db }: Database<StatusesTables>, authorIds: readonly string[]): Promise<Range[]> => {
  const edges = (await readEveryFollower(db, { authorIds, every: RANGE })).map(({ id }) => id)
  return [...edges, MAX_ID].map((upTo, index) => ({ after: edges[index - 1] ?? '0', upTo }))
}

/**
 * Places posts in all homes they belong in, several ranges of readers at once, each in its own transaction: for authors with very many followers this
 * takes half the time. If it fails midway, the written homes are right, and placing again writes the rest.
 */
export const placeInRanges = async (
  database: Database<StatusesTables>,
  { ids, authorIds, now }: { ids: readonly string[]; authorIds: readonly string[]; now: Date },
): Promise<void> => {
  const ranges = await rangesOf(database, authorIds)
  const place = (range: Range) => writeFeeds(database.db, (feeds) => feeds.place({ posts: ids, boosts: [] }, now, range))
  for (let from = 0; from < ranges.length; from += AT_ONCE) await Promise.all(ranges.slice(from, from + AT_ONCE).map(place))
}

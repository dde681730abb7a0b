import { type Database, MAX_ID } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { type Range, readEveryFollower, writeFeeds } from './feed.store.ts'

/** Followers of a range: about 25 ms of a processor. */
const RANGE = 5000
/** Transactions at once: each takes a connection and a processor of Postgres. */
const AT_ONCE = 2

/** The followers of some authors, and everyone else, in ranges of about equal work. */
const rangesOf = async ({ db }: Database<StatusesTables>, authorIds: readonly string[]): Promise<Range[]> => {
  const edges = (await readEveryFollower(db, { authorIds, every: RANGE })).map(({ id }) => id)
  return [...edges, MAX_ID].map((upTo, index) => ({ after: edges[index - 1] ?? '0', upTo }))
}

/**
 * Places posts in all homes they belong in, some ranges of readers at once, each in a transaction of its own: for authors with very many
 * followers this takes half the time. If it ends halfway, the homes written are right, and placing again writes the rest.
 */
export const placeInRanges = async (
  database: Database<StatusesTables>,
  { ids, authorIds, now }: { ids: readonly string[]; authorIds: readonly string[]; now: Date },
): Promise<void> => {
  const ranges = await rangesOf(database, authorIds)
  const place = (range: Range) => writeFeeds(database.db, (feeds) => feeds.place({ posts: ids, boosts: [] }, now, range))
  for (let from = 0; from < ranges.length; from += AT_ONCE) await Promise.all(ranges.slice(from, from + AT_ONCE).map(place))
}

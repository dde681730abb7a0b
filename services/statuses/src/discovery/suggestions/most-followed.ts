import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readMostFollowed } from './suggestion.store.ts'

/** TTL of the list (beyond-the-spec 1.16), and its maximum length: nearly no one follows more of them. */
const LIFETIME_MILLISECONDS = 15 * 60_000
const MAX = 1000

/**
 * The most followed accounts with their rank, at most a quarter of an hour old and read once for concurrent callers. They are candidates: whether
 * they may still be recommended is checked each time.
 */
export const mostFollowed = ({
  database,
  clock,
}: {
  database: Database<StatusesTables>
  clock: Clock
}): (() => Promise<ReadonlyMap<string, number>>) => {
  let kept: { places: Promise<ReadonlyMap<string, number>>; until: number } | undefined
  return () => {
    const now = clock.now()
    if (kept && kept.until > now) return kept.places
    const reading = {
      places: readMostFollowed(database, { limit: MAX }).then((rows) => new Map(rows.map(({ id }, place) => [id, place]))),
      until: now + LIFETIME_MILLISECONDS,
    }
    kept = reading
    reading.places.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading.places
  }
}

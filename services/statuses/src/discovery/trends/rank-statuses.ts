import { type Database, transact } from '@rookery/database'
import { idAtTime, timeOfId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import {
  holdStatuses,
  type Liked,
  READ_AT_ONCE,
  readBoosts,
  readFavourites,
  readLiked,
  readProgress,
  readTrending,
  writeProgress,
  writeRanks,
} from './status-trend.store.ts'
import { dayOf, HALF_LIVES, minRank, rankOf, statusScore } from './trend.rules.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** Longer than a favourite or a boost takes to commit after its id was made, in milliseconds. */
const SETTLED_AFTER = 5 * 60_000

/** Reads everything after an id, in batches; returns the statuses, and the last id. */
const readOn = async (
  after: string,
  read: (part: { after: string; limit: number }) => Promise<{ id: string; statusId: string | null }[]>,
): Promise<{ statusIds: string[]; last: string }> => {
  const statusIds = new Set<string>()
  let last = after
  for (let length = READ_AT_ONCE; length === READ_AT_ONCE; ) {
    const rows = await read({ after: last, limit: READ_AT_ONCE })
    for (const { statusId } of rows) if (statusId) statusIds.add(statusId)
    length = rows.length
    last = rows.at(-1)?.id ?? last
  }
  return { statusIds: [...statusIds], last }
}

const rankedOf = ({ id, interactions }: Liked) => {
  const score = statusScore(interactions)
  return { id, rank: score > 0 ? rankOf({ score, at: timeOfId(id) }, HALF_LIVES.status) : -Infinity }
}

/**
 * Ranks the statuses that were boosted or favourited since the last run, and those that trend. Ids are made before commits, so that each run reads
 * the last minutes again: ranking is idempotent. A killed run leaves the progress unchanged.
 */
export const rankStatuses = ({ database, clock }: Deps) => {
  const rank = async (ids: readonly string[], floor: number) => {
    const ranked = (await readLiked(database, { ids })).map(rankedOf)
    // Already decayed: not worth a row.
    const worth = ranked.filter(({ rank }) => rank > floor || rank === -Infinity)
    if (worth.length === 0) return
    await transact(database.db, async (tx) => {
      const there = new Set((await holdStatuses(tx, { ids: worth.map(({ id }) => id) })).map(({ id }) => id))
      const held = worth.filter(({ id }) => there.has(id))
      await writeRanks(tx, { ids: held.map(({ id }) => id), ranks: held.map(({ rank }) => rank) })
    })
  }
  return async (signal?: AbortSignal): Promise<void> => {
    const now = clock.now()
    const floor = minRank(now, HALF_LIVES.status)
    const [progress] = await readProgress(database, {})
    if (!progress) return
    const favourites = await readOn(progress.settledId, (part) => readFavourites(database, part))
    const sinceId = idAtTime(Math.min(now, progress.latestAt.getTime()) - SETTLED_AFTER)
    const boosts = await readOn(sinceId, (part) => readBoosts(database, part))
    const trending = (await readTrending(database, { floor })).map(({ statusId }) => statusId)
    const ids = [...new Set([...favourites.statusIds, ...boosts.statusIds, ...trending])]
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      signal?.throwIfAborted()
      await rank(ids.slice(start, start + READ_AT_ONCE), floor)
    }
    const isSettled = now - progress.latestAt.getTime() >= SETTLED_AFTER
    if (!isSettled) return
    const { settledId: from, latestId: settledId, latestAt } = progress
    await writeProgress(database, { from, settledId, latestId: favourites.last, latestAt: new Date(now), day: dayOf(latestAt.getTime()) })
  }
}

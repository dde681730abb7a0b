import type { Database } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { toPlace, writeFeeds } from './feed.store.ts'
import { placeInRanges } from './place-in-ranges.ts'
import { type Published, publications } from './publications.ts'
import { readWideAuthors } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; clock: Clock }

/** Local followers above which connected accounts get a status before all others: placing takes about 5 ms of CPU time per thousand. */
const MANY_FOLLOWERS = 5000

const idsOf = (published: readonly Published[]) => published.map(({ event }) => event.value.statusId)

/**
 * Publishes statuses of authors with many followers to connected accounts first (docs/decisions/0042): it places them in the homes of these accounts,
 * publishes them to their streams, and then places posts in all other homes. Boosts are left to the consumer. `unpublished` has the statuses for
 * accounts that connected meanwhile.
 */
export const connectedFirst = (deps: Deps) => {
  const { database, publishLive, clock } = deps
  /** The accounts that a status was published to. */
  const recipients = new WeakMap<Published, ReadonlySet<string>>()
  const placed = new WeakSet<Published>()

  const publishToConnected = (urgent: readonly Published[]) =>
    publishLive(async (connected) => {
      if (connected.length === 0) return []
      const statuses = toPlace(urgent.map(({ event }) => event.value))
      await writeFeeds(database.db, (feeds) => feeds.placeFor(connected, statuses, new Date(clock.now())))
      const messages = await publications(deps, urgent, { isAhead: true })(connected)
      const everyone = new Set(connected)
      for (const each of urgent) recipients.set(each, everyone)
      return messages
    })

  return {
    async publishAndPlace(published: readonly Published[]) {
      const authors = new Set(await readWideAuthors(database, idsOf(published), MANY_FOLLOWERS))
      const urgent = published.filter(({ event }) => authors.has(event.value.authorId))
      if (urgent.length === 0) return
      await publishToConnected(urgent)
      // Whether a home takes a boost depends on what else is placed with it.
      const posts = urgent.filter(({ event }) => !event.value.reblogOfId)
      if (posts.length === 0) return
      await placeInRanges(database, { ids: idsOf(posts), authorIds: [...authors], now: new Date(clock.now()) })
      for (const each of posts) placed.add(each)
    },
    /** Statuses not placed in all homes yet. */
    unplaced: (published: readonly Published[]) => published.filter((each) => !placed.has(each)),
    /** Statuses not published to all connected accounts yet. */
    unpublished: (published: readonly Published[], connected: readonly string[]) =>
      published.filter((each) => {
        const reached = recipients.get(each)
        return !reached || connected.some((accountId) => !reached.has(accountId))
      }),
  }
}

import { type Database, transact } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter, toPlace } from './feed.store.ts'
import { type Published, publications } from './publications.ts'
import { readWideAuthors } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; clock: Clock }

/** Followers of this server above which those who are connected get a status before all others: to place it takes some 5 ms for each thousand. */
const MANY_FOLLOWERS = 5000

/**
 * Has those who are connected get statuses of authors whom many follow at once: placed in their homes, and then announced, before the homes of all the
 * others, which may take seconds. Who connects meanwhile is told when theirs is placed.
 */
export const connectedFirst = (deps: Deps) => {
  const { database, publishLive, clock } = deps
  /** Whom statuses were announced to before they were placed for all. */
  const told = new WeakMap<Published, ReadonlySet<string>>()
  return {
    async announce(published: readonly Published[]) {
      const ids = published.map(({ event }) => event.value.statusId)
      const authors = new Set(await readWideAuthors(database, ids, MANY_FOLLOWERS))
      const urgent = published.filter(({ event }) => authors.has(event.value.authorId))
      if (urgent.length === 0) return
      await publishLive(async (connected) => {
        if (connected.length === 0) return []
        await transact(database.db, async (tx) => {
          const feeds = new FeedWriter(tx)
          await feeds.share()
          await feeds.placeFor(connected, toPlace(urgent.map(({ event }) => event.value)), new Date(clock.now()))
        })
        const messages = await publications(deps, urgent, { isAhead: true })(connected)
        const everyone = new Set(connected)
        for (const each of urgent) told.set(each, everyone)
        return messages
      })
    },
    /** Those that someone who is connected was not told of yet. */
    untold: (published: readonly Published[], connected: readonly string[]) =>
      published.filter((each) => {
        const already = told.get(each)
        return !already || connected.some((accountId) => !already.has(accountId))
      }),
  }
}

import { type Database, transact } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter, toPlace } from './feed.store.ts'
import { type Published, publications } from './publications.ts'
import { readWideAuthors } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; clock: Clock }

/** Followers of this server above which connected accounts get a status before all others: placing takes about 5 ms for each thousand. */
const MANY_FOLLOWERS = 5000

/**
 * Publishes statuses of authors with many followers to connected accounts first (docs/decisions/0042): it places them in the homes of these accounts, publishes
 * them to their streams, and leaves all other homes to the consumer. Accounts that connect meanwhile are among those of `unpublished`.
 */
export const connectedFirst = (deps: Deps) => {
  const { database, publishLive, clock } = deps
  /** The accounts that a status was published to. */
  const recipients = new WeakMap<Published, ReadonlySet<string>>()
  return {
    async publish(published: readonly Published[]) {
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
        for (const each of urgent) recipients.set(each, everyone)
        return messages
      })
    },
    /** Statuses that were not published to all connected accounts yet. */
    unpublished: (published: readonly Published[], connected: readonly string[]) =>
      published.filter((each) => {
        const reached = recipients.get(each)
        return !reached || connected.some((accountId) => !reached.has(accountId))
      }),
  }
}

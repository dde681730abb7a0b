import type { StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, ofKind, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter, readListsWith, readShowing } from './feed.store.ts'
import { type Listing, readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'
import { requestPull } from './pull-author.job.ts'
import { readFormerReaders, readReaders, readWideAuthors } from './pulled.store.ts'

type Deps = {
  database: Database<StatusesTables>
  publishLive: PublishLive
  clock: Clock
  /** Followers of this server up to which statuses of an author are written to homes; 0 for any number. */
  config: { fanOutMaxFollowers: number }
}
type Published = Received<'statusPublished'>
type Deleted = Received<'statusDeleted'>

/** Ids by what they belong to. */
const grouped = (pairs: readonly (readonly [key: string, id: string])[]) => {
  const groups = new Map<string, string[]>()
  for (const [key, id] of pairs) {
    const group = groups.get(key)
    if (group) group.push(id)
    else groups.set(key, [id])
  }
  return groups
}

/** Of a status that is gone again. */
const NOWHERE: Omit<Listing, 'statusId'> = { isLocal: true, isListed: false, hasMedia: false, tags: [], hasViewerQuotes: false }

/** Live messages of statuses that stand in feeds. */
const publications =
  ({ database: { db }, clock }: Deps, published: readonly Published[]) =>
  async (connected: readonly string[]): Promise<Uint8Array[]> => {
    const ids = published.map(({ event }) => event.value.statusId)
    const now = new Date(clock.now())
    const isAnyone = connected.length > 0
    const [readers, showing, listings] = await Promise.all([
      isAnyone ? readReaders(db, ids, { accountIds: connected, now }) : [],
      isAnyone ? readShowing(db, ids, { ownerIds: connected, now }) : [],
      readListings(db, ids),
    ])
    const homes = grouped(readers.map(({ statusId, accountId }) => [statusId, accountId]))
    const lists = grouped(showing.map(({ statusId, listId }) => [statusId, listId]))
    return published.map(({ id, event: { value } }) =>
      liveMessage(id, {
        $case: 'status',
        value: {
          statusId: value.statusId,
          authorId: value.authorId,
          recipientIds: homes.get(value.statusId) ?? [],
          isEdit: false,
          ...(listings.get(value.statusId) ?? NOWHERE),
          listIds: lists.get(value.statusId) ?? [],
        },
      }),
    )
  }

/** Live messages of statuses that pages show no longer, while feeds still hold them. */
const deletions =
  ({ database: { db } }: Deps, deleted: readonly Deleted[]) =>
  async (connected: readonly string[]): Promise<Uint8Array[]> => {
    const statuses = deleted.map(({ event }) => event.value)
    const readers = connected.length > 0 ? await readFormerReaders(db, statuses, connected) : []
    const homes = grouped(readers.map(({ statusId, accountId }) => [statusId, accountId]))
    const authorIds = statuses.map(({ authorId }) => authorId)
    const showing = connected.length > 0 ? await readListsWith(db, authorIds, connected) : []
    const lists = grouped(showing.map(({ memberId, listId }) => [memberId, listId]))
    const present = new Set(connected)
    return deleted.map(({ id, event: { value: status } }) => {
      const holders = [status.authorId, ...(homes.get(status.statusId) ?? []), ...status.mentionedAccountIds]
      return liveMessage(id, {
        $case: 'deletion',
        value: {
          statusId: status.statusId,
          recipientIds: [...new Set(holders)].filter((accountId) => present.has(accountId)),
          isListed: status.wasListed,
          isLocal: !status.isRemote,
          hasMedia: status.hadMedia,
          // It was tagged so until now; the row is gone.
          tags: status.visibility === 'public' ? status.tags : [],
          listIds: status.visibility === 'direct' ? [] : (lists.get(status.authorId) ?? []),
        },
      })
    })
  }

/**
 * Places published statuses in feeds and takes deleted ones out, and announces both to open streams. Works a batch of events as a set: the
 * number of statements does not depend on how many there are.
 */
export const fanOut = (deps: Deps) => {
  const { publishLive, clock, config } = deps

  /** Has authors pulled whom too many follow by now; what is published until then is written. */
  const pullWide = async (tx: Tx<StatusesTables>, published: readonly StatusPublished[]) => {
    const ids = published.map(({ statusId }) => statusId)
    for (const authorId of await readWideAuthors(tx, ids, config.fanOutMaxFollowers)) await requestPull(tx, authorId)
  }

  const place = async (feeds: FeedWriter, published: readonly StatusPublished[]) => {
    const posts = published.filter(({ reblogOfId }) => !reblogOfId).map(({ statusId }) => statusId)
    const boosts = published.filter(({ reblogOfId }) => reblogOfId).map(({ statusId }) => statusId)
    await feeds.place({ posts, boosts }, new Date(clock.now()))
  }

  /** Takes out what is gone and the replies to it, and lets other boosts take the places of those that vanished. */
  const withdraw = async (feeds: FeedWriter, deleted: readonly StatusDeleted[]) => {
    const now = new Date(clock.now())
    const vacancies = await feeds.withdraw(deleted)
    const orphans = await feeds.orphans(deleted.map(({ statusId }) => statusId))
    if (orphans.length > 0) vacancies.push(...(await feeds.recheck(orphans, [], now)))
    const own = deleted.flatMap(({ authorId, reblogOfId }) => (reblogOfId ? [{ accountId: authorId, originalId: reblogOfId }] : []))
    await feeds.fill([...vacancies, ...own], now)
  }

  return consumer<StatusesTables, 'statusPublished' | 'statusDeleted'>({
    name: 'statuses.fan-out',
    topic: 'statuses.v1',
    kinds: ['statusPublished', 'statusDeleted'],
    // Where statuses belong is asked of the rows as they stand, and what is there already stays.
    isIdempotent: true,
    async handle(tx: Tx<StatusesTables>, received) {
      const published = ofKind(received, 'statusPublished').map(({ event }) => event.value)
      const deleted = ofKind(received, 'statusDeleted').map(({ event }) => event.value)
      const feeds = new FeedWriter(tx)
      await feeds.share()
      if (published.length > 0) await place(feeds, published)
      if (published.length > 0 && config.fanOutMaxFollowers > 0) await pullWide(tx, published)
      if (deleted.length > 0) await withdraw(feeds, deleted)
    },
    async publishBefore(received) {
      const deleted = ofKind(received, 'statusDeleted')
      if (deleted.length > 0) await publishLive(deletions(deps, deleted))
    },
    async publishAfter(received) {
      const published = ofKind(received, 'statusPublished').filter(({ event }) => !event.value.isFetched)
      if (published.length > 0) await publishLive(publications(deps, published))
    },
  })
}

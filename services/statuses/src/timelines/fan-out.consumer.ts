import type { LiveMessage, StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { Database, Db, Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { consumer } from '@rookery/events'
import type { Clock, Logger } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { FeedWriter, readHolders, readListsWith, readShowing } from './feed.store.ts'
import { type Listing, readListings } from './listing.store.ts'
import { tellLive } from './tell-live.ts'

type Given = { database: Database<StatusesTables>; live: LiveChannel; presence: Presence; clock: Clock; log: Logger }

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

/** Of those who are connected, whose homes hold the statuses. */
const presentHolders = async (db: Db<StatusesTables>, statusIds: readonly string[], connected: readonly string[]) => {
  const rows = connected.length > 0 ? await readHolders(db, statusIds, connected) : []
  return grouped(rows.map(({ status_id, account_id }) => [status_id, account_id]))
}

/** Of a status that is gone again. */
const NOWHERE: Omit<Listing, 'statusId'> = { isListed: false, hasMedia: false, tags: [] }

/**
 * Places published statuses in feeds and takes deleted ones out, then tells whoever is connected. Works a batch of facts as a set: the
 * number of statements does not depend on how many there are.
 */
export const fanOut = (given: Given) => {
  const { database, presence, clock } = given

  /** Who is there is asked after the commit: whoever comes later finds the statuses in their home. */
  const announcements = async (published: readonly StatusPublished[]): Promise<LiveMessage[]> => {
    const { db } = database
    const ids = published.map(({ statusId }) => statusId)
    const connected = await presence.connected()
    const homes = await presentHolders(db, ids, connected)
    const showing = connected.length > 0 ? await readShowing(db, ids, { ownerIds: connected, now: new Date(clock.now()) }) : []
    const lists = grouped(showing.map(({ statusId, listId }) => [statusId, listId]))
    const listings = await readListings(db, ids)
    return published.map(({ statusId, authorId }) => ({
      event: {
        $case: 'status',
        value: {
          statusId,
          authorId,
          recipientIds: homes.get(statusId) ?? [],
          isLocal: true,
          isEdit: false,
          ...(listings.get(statusId) ?? NOWHERE),
          listIds: lists.get(statusId) ?? [],
        },
      },
    }))
  }

  const place = async (tx: Tx<StatusesTables>, published: readonly StatusPublished[]) => {
    const posts = published.filter(({ reblogOfId }) => !reblogOfId).map(({ statusId }) => statusId)
    const boosts = published.filter(({ reblogOfId }) => reblogOfId).map(({ statusId }) => statusId)
    await new FeedWriter(tx).place({ posts, boosts }, new Date(clock.now()))
    tellLive(given, tx, () => announcements(published))
  }

  /** Takes out what is gone and the replies to it, and lets other boosts take the places of those that vanished. */
  const remove = async (feeds: FeedWriter, deleted: readonly StatusDeleted[]) => {
    const now = new Date(clock.now())
    const vacancies = await feeds.withdraw(deleted)
    const orphans = await feeds.orphans(deleted.map(({ statusId }) => statusId))
    if (orphans.length > 0) vacancies.push(...(await feeds.recheck(orphans, [], now)))
    const own = deleted.flatMap(({ authorId, reblogOfId }) => (reblogOfId ? [{ accountId: authorId, originalId: reblogOfId }] : []))
    await feeds.fill([...vacancies, ...own], now)
  }

  const withdraw = async (tx: Tx<StatusesTables>, deleted: readonly StatusDeleted[]) => {
    const feeds = new FeedWriter(tx)
    const connected = await presence.connected()
    const ids = deleted.map(({ statusId }) => statusId)
    const homes = await presentHolders(tx, ids, connected)
    const authorIds = deleted.map(({ authorId }) => authorId)
    const showing = connected.length > 0 ? await readListsWith(tx, authorIds, connected) : []
    const lists = grouped(showing.map(({ memberId, listId }) => [memberId, listId]))
    await remove(feeds, deleted)
    const present = new Set(connected)
    tellLive(given, tx, () =>
      deleted.map((status) => {
        const holders = [status.authorId, ...(homes.get(status.statusId) ?? []), ...status.mentionedAccountIds]
        return {
          event: {
            $case: 'deletion',
            value: {
              statusId: status.statusId,
              recipientIds: [...new Set(holders)].filter((id) => present.has(id)),
              isListed: status.wasListed,
              isLocal: true,
              hasMedia: status.hadMedia,
              // It was tagged so until now; the row is gone.
              tags: status.visibility === 'public' ? status.tags : [],
              listIds: status.visibility === 'direct' ? [] : (lists.get(status.authorId) ?? []),
            },
          },
        }
      }),
    )
  }

  return consumer<StatusesTables, 'statusPublished' | 'statusDeleted'>({
    name: 'statuses.fan-out',
    topic: 'statuses.v1',
    kinds: ['statusPublished', 'statusDeleted'],
    async handle(tx, received) {
      const published = received.flatMap(({ fact }) => (fact.$case === 'statusPublished' ? [fact.value] : []))
      const deleted = received.flatMap(({ fact }) => (fact.$case === 'statusDeleted' ? [fact.value] : []))
      await new FeedWriter(tx).share()
      if (published.length > 0) await place(tx, published)
      if (deleted.length > 0) await withdraw(tx, deleted)
    },
  })
}

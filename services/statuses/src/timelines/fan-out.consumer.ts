import { LiveMessage, type StatusDeleted, type StatusPublished } from '@rookery/contracts/events'
import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { FeedWriter, readHolders, readListsWith, readShowing } from './feed.store.ts'
import { type Listing, readListings } from './listing.store.ts'

type Given = { live: LiveChannel; presence: Presence; clock: Clock }

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
const presentHolders = async (tx: Tx<StatusesTables>, statusIds: readonly string[], connected: readonly string[]) => {
  const rows = connected.length > 0 ? await readHolders(tx, statusIds, connected) : []
  return grouped(rows.map(({ status_id, account_id }) => [status_id, account_id]))
}

/** Of a status that is gone again. */
const NOWHERE: Omit<Listing, 'statusId'> = { isListed: false, hasMedia: false, tags: [] }

/**
 * Places published statuses in feeds and takes deleted ones out, then tells whoever is connected. Works a batch of facts as a set: the
 * number of statements does not depend on how many there are.
 */
export const fanOut = ({ live, presence, clock }: Given) => {
  const tell = (tx: Tx<StatusesTables>, messages: readonly LiveMessage[]) => {
    if (messages.length === 0) return
    afterCommit(tx, () => {
      for (const message of messages) live.publish(LiveMessage.encode(message).finish())
    })
  }

  const place = async (tx: Tx<StatusesTables>, published: readonly StatusPublished[]) => {
    const ids = published.map(({ statusId }) => statusId)
    const posts = published.filter(({ reblogOfId }) => !reblogOfId).map(({ statusId }) => statusId)
    const boosts = published.filter(({ reblogOfId }) => reblogOfId).map(({ statusId }) => statusId)
    const now = new Date(clock.now())
    await new FeedWriter(tx).place({ posts, boosts }, now)
    const connected = await presence.connected()
    const homes = await presentHolders(tx, ids, connected)
    const showing = connected.length > 0 ? await readShowing(tx, ids, { ownerIds: connected, now }) : []
    const lists = grouped(showing.map(({ statusId, listId }) => [statusId, listId]))
    const listings = await readListings(tx, ids)
    tell(
      tx,
      published.map((status) => ({
        event: {
          $case: 'status',
          value: {
            statusId: status.statusId,
            authorId: status.authorId,
            recipientIds: homes.get(status.statusId) ?? [],
            isLocal: true,
            isEdit: false,
            ...(listings.get(status.statusId) ?? NOWHERE),
            listIds: lists.get(status.statusId) ?? [],
          },
        },
      })),
    )
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
    tell(
      tx,
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

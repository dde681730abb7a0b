import type { Database } from '@rookery/database'
import type { Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readListsWith, readShowing } from './feed.store.ts'
import { type Listing, readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'
import { readFormerReaders, readReaders } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }
export type Published = Received<'statusPublished'>
type Deleted = Received<'statusDeleted'>

/** Groups ids by key. */
const grouped = (pairs: readonly (readonly [key: string, id: string])[]) => {
  const groups = new Map<string, string[]>()
  for (const [key, id] of pairs) {
    const group = groups.get(key)
    if (group) group.push(id)
    else groups.set(key, [id])
  }
  return groups
}

/** The listing of a status that was deleted meanwhile. */
const NOWHERE: Omit<Listing, 'statusId'> = {
  isLocal: true,
  isListed: false,
  hasMedia: false,
  isTagged: false,
  tags: [],
  hasViewerQuotes: false,
}

/** Live messages of placed statuses. */
export const publications =
  ({ database, clock }: Deps, published: readonly Published[], { isAhead = false } = {}) =>
  async (connected: readonly string[]): Promise<Uint8Array[]> => {
    if (published.length === 0) return []
    const ids = published.map(({ event }) => event.value.statusId)
    const now = new Date(clock.now())
    const isAnyone = connected.length > 0
    const [readers, showing, listings] = await Promise.all([
      isAnyone ? readReaders(database, ids, { accountIds: connected, now }) : [],
      isAnyone ? readShowing(database, ids, { ownerIds: connected, now }) : [],
      readListings(database, ids),
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
          ...(isAhead && { isAhead }),
          ...(listings.get(value.statusId) ?? NOWHERE),
          listIds: lists.get(value.statusId) ?? [],
        },
      }),
    )
  }

/** Live messages of deleted statuses, which feeds still have. */
export const deletions =
  ({ database }: Deps, deleted: readonly Deleted[]) =>
  async (connected: readonly string[]): Promise<Uint8Array[]> => {
    const statuses = deleted.map(({ event }) => event.value)
    const readers = connected.length > 0 ? await readFormerReaders(database, statuses, connected) : []
    const homes = grouped(readers.map(({ statusId, accountId }) => [statusId, accountId]))
    const authorIds = statuses.map(({ authorId }) => authorId)
    const showing = connected.length > 0 ? await readListsWith(database.db, authorIds, connected) : []
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
          // It had these tags until now; its row is deleted.
          tags: status.visibility === 'public' ? status.tags : [],
          listIds: status.visibility === 'direct' ? [] : (lists.get(status.authorId) ?? []),
        },
      })
    })
  }

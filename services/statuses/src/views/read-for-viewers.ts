import { type Filtered, type Flags, type StatusForViewers, Visibility } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import type { Head } from './skeleton.store.ts'
import { isInAudience } from './view.rules.ts'
import { readViewerFlags, versionsOf } from './viewers.store.ts'
import type { Views } from './views.ts'

/** Choices by account, from account:1.2,account:0. */
const choicesOf = (text: string | null) =>
  new Map(
    (text ? text.split(',') : []).map((entry) => {
      const [accountId, chosen = ''] = entry.split(':')
      return [accountId!, chosen.split('.').map(Number)] as const
    }),
  )

const idsOf = (array: string) => new Set(array.length > 2 ? array.slice(1, -1).split(',') : [])

/** What the viewers' filters say of a status, and of what it boosts. */
const filteredHalves = async (
  views: Views,
  viewers: ReadonlyMap<string, number>,
  { head, original }: { head: Head; original: Head | undefined },
): Promise<[whole: Map<string, Filtered>, boosted: Map<string, Filtered>]> => {
  if (!original) return [await views.filteredFor(viewers, { ids: [head.id], text: head }), new Map()]
  return [
    await views.filteredFor(viewers, { ids: [head.id, original.id], text: original }),
    await views.filteredFor(viewers, { ids: [original.id], text: original }),
  ]
}

/**
 * One status for many viewers: the view once, and for each viewer of its audience the flags and what their filters say. Two statements
 * warm, whatever the number.
 * Answers without a page when the status is gone.
 */
export const readForViewers =
  (given: { database: Database<StatusesTables>; views: Views }) =>
  async (statusId: string, viewerIds: readonly string[]): Promise<StatusForViewers> => {
    const skeleton = await given.views.skeleton('', [statusId])
    const head = skeleton.heads.get(statusId)
    if (!head) return { page: undefined, viewers: [] }
    const target = head.reblogOfId ?? statusId
    const isPrivate = head.visibility === Visibility.PRIVATE
    const [page, [flags]] = await Promise.all([
      given.views.assembleForAll(skeleton),
      readViewerFlags(given.database, [viewerIds, target, statusId, head.authorId, isPrivate]),
    ])
    const [favourites, reblogs, bookmarks, follows, mentions, pins, votes, mutes, filtering] = flags!
    const [favourited, reblogged, bookmarked, followers] = [idsOf(favourites), idsOf(reblogs), idsOf(bookmarks), idsOf(follows)]
    const [mentioned, pinned, choices, muted] = [idsOf(mentions), idsOf(pins), choicesOf(votes), idsOf(mutes)]
    const original = head.reblogOfId === undefined ? undefined : skeleton.heads.get(head.reblogOfId)
    const [filtered, reblogFiltered] = await filteredHalves(given.views, versionsOf(filtering), { head, original })
    const pollAuthor = skeleton.heads.get(target)?.authorId
    const mayBePinned = head.reblogOfId === undefined && head.visibility !== Visibility.DIRECT
    const viewers = viewerIds
      .filter((viewerId) =>
        isInAudience(head, viewerId, {
          followed: followers.has(viewerId) ? new Set([head.authorId]) : new Set(),
          mentioned: mentioned.has(viewerId) ? new Set([statusId]) : new Set(),
        }),
      )
      .map((viewerId) => {
        const own: Flags = {
          favourited: favourited.has(viewerId),
          reblogged: reblogged.has(viewerId),
          bookmarked: bookmarked.has(viewerId),
          muted: muted.has(viewerId),
          pinned: mayBePinned && viewerId === head.authorId ? pinned.has(viewerId) : undefined,
        }
        const chosen = choices.get(viewerId) ?? []
        const ownVotes = { hasVoted: chosen.length > 0 || viewerId === pollAuthor, choices: chosen }
        return {
          viewerId,
          flags: own,
          reblogFlags: head.reblogOfId === undefined ? undefined : own,
          ownVotes,
          filtered: filtered.get(viewerId),
          reblogFiltered: reblogFiltered.get(viewerId),
        }
      })
    return { page, viewers }
  }

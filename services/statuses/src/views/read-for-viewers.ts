import type { Filtered, Flags, ReadForViewersRequest, StatusForViewers, ViewerFlags } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { isInAudience, isPrivate, isSilencedFor, type ViewerTies } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import type { Head } from './head.store.ts'
import { mayBePinned } from './present/page.ts'
import { ownVotesOf } from './present/poll.ts'
import { viewerQuotes } from './viewer-quotes.ts'
import { readViewerFlags, type ViewerFlagsRow } from './viewers.store.ts'
import type { Views } from './views.ts'

/** The matching filters of each viewer, for the status itself and for the boosted one. */
const filteredHalves = async (
  views: Views,
  viewers: ReadonlyMap<string, number>,
  { head, original }: Halves,
): Promise<[whole: Map<string, Filtered>, boosted: Map<string, Filtered>]> => {
  if (!original) return [await views.filteredFor(viewers, { ids: [head.id], text: head }), new Map()]
  return [
    await views.filteredFor(viewers, { ids: [head.id, original.id], text: original }),
    await views.filteredFor(viewers, { ids: [original.id], text: original }),
  ]
}

/** The viewers' relationships to a status: sets of viewer ids by kind. */
const relationsOf = ({ votes, filtering, ...row }: ViewerFlagsRow) => ({
  favourited: new Set(row.favourited),
  reblogged: new Set(row.reblogged),
  bookmarked: new Set(row.bookmarked),
  followers: new Set(row.followers),
  mentioned: new Set(row.mentioned),
  pinned: new Set(row.pinned),
  choices: new Map(votes),
  muted: new Set(row.muted),
  filtering: new Map(filtering),
  unwilling: new Set(row.unwilling),
})
type Relations = ReturnType<typeof relationsOf>

/** A status, and the one it boosts. */
type Halves = { head: Head; original: Head | undefined }

/** Whether a follow of its author decides who may see a status. */
const dependsOnFollow = (head: Head): boolean => isPrivate(head.visibility) || head.isAuthorSilenced

const isShownTo = (viewerId: string, { head }: Halves, { unwilling, followers, mentioned }: Relations): boolean => {
  const ties: ViewerTies = {
    followed: followers.has(viewerId) ? new Set([head.authorId]) : new Set(),
    mentioned: mentioned.has(viewerId) ? new Set([head.id]) : new Set(),
  }
  return !unwilling.has(viewerId) && isInAudience(head, viewerId, ties) && !isSilencedFor(head, viewerId, ties)
}

/** The viewer's flags and votes; for a boost those of the boosted status, as on pages. */
const ownOf = (
  viewerId: string,
  { head, original }: Halves,
  relations: Relations,
): Pick<ViewerFlags, 'flags' | 'reblogFlags' | 'ownVotes'> => {
  const shared: Flags = {
    favourited: relations.favourited.has(viewerId),
    reblogged: relations.reblogged.has(viewerId),
    bookmarked: relations.bookmarked.has(viewerId),
    muted: relations.muted.has(viewerId),
  }
  const target = original ?? head
  const flags = { ...shared, pinned: mayBePinned(target, viewerId) ? relations.pinned.has(viewerId) : undefined }
  const ownVotes = ownVotesOf(target, viewerId, relations.choices.get(viewerId))
  return original ? { flags: shared, reblogFlags: flags, ownVotes } : { flags, reblogFlags: undefined, ownVotes }
}

/**
 * One status for many viewers: the view once, and for each viewer whose timelines show it the flags and the matching filters (beyond-the-spec 1.11,
 * 1.12). Two statements with a warm cache, three if quotes differ between viewers, for any number of viewers. The result has no page if the status is
 * deleted, or its author suspended.
 */
export const readForViewers = (deps: { database: Database<StatusesTables>; clock: Clock; views: Views }) => {
  const quotesFor = viewerQuotes(deps)
  return async ({ statusId, viewerIds, listenerIds }: ReadForViewersRequest): Promise<StatusForViewers> => {
    const skeleton = await deps.views.skeleton('', [statusId])
    const head = skeleton.heads.get(statusId)
    const original = head?.reblogOfId === undefined ? undefined : skeleton.heads.get(head.reblogOfId)
    if (!head || head.isAuthorSuspended || original?.isAuthorSuspended) return { page: undefined, viewers: [], listeners: [] }
    const halves = { head, original }
    const authorIds = original ? [head.authorId, original.authorId] : [head.authorId]
    const wanted = {
      viewerIds,
      statusId,
      targetId: original?.id ?? statusId,
      authorId: head.authorId,
      needsFollowers: dependsOnFollow(head),
      authorIds,
      now: new Date(deps.clock.now()),
    }
    const [page, [row]] = await Promise.all([deps.views.presentForAll(skeleton), readViewerFlags(deps.database, wanted)])
    const relations = relationsOf(row!)
    const [filtered, reblogFiltered] = await filteredHalves(deps.views, relations.filtering, halves)
    const item = page.items[0]
    const quote = (item?.reblogOverlay ?? item?.overlay)?.quote
    const viewed = { head: original ?? head, skeleton, quote }
    const quoting = await quotesFor(viewerIds, viewed, { withFlags: true })
    const listening = listenerIds.length > 0 ? await quotesFor(listenerIds, viewed, { withFlags: false }) : []
    const viewers = viewerIds
      .filter((viewerId) => isShownTo(viewerId, halves, relations))
      .map((viewerId) => ({
        viewerId,
        ...ownOf(viewerId, halves, relations),
        filtered: filtered.get(viewerId),
        reblogFiltered: reblogFiltered.get(viewerId),
        quoting: quoting.get(viewerId),
      }))
    return { page, viewers, listeners: Array.from(listening, ([viewerId, each]) => ({ viewerId, quoting: each })) }
  }
}

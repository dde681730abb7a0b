import type { AccountView, Flags, Overlay, StatusItem, StatusPage, StatusView } from '@rookery/contracts/statuses'
import { isDirect } from '../../audience/index.ts'
import type { FoldedText, ViewerFilters } from '../../content/keywords/index.ts'
import type { Head, Skeleton } from '../skeleton.store.ts'
import { filteredOf } from './filtered.ts'
import { presentPoll } from './poll.ts'
import type { StatusEntry } from './status.ts'

/** What a page is assembled from: the skeleton and, by id, the bodies and accounts it refers to. */
export type Parts = {
  skeleton: Skeleton
  statuses: ReadonlyMap<string, StatusEntry>
  accounts: ReadonlyMap<string, AccountView>
  /** The viewer's, when there are any. */
  filters: ViewerFilters | undefined
  /** What filters read of a status. */
  textOf: (entry: StatusEntry) => FoldedText
  /** Milliseconds since 1970: what is over by then. */
  now: number
}

/** Whether the viewer could pin this status (beyond-the-spec 1.10, Pin): only then does it carry `pinned`. */
const mayBePinned = (head: Head, viewerId: string) =>
  head.authorId === viewerId && head.reblogOfId === undefined && !isDirect(head.visibility)

const flagsOf = (head: Head, viewerId: string, skeleton: Skeleton): Flags => ({
  favourited: skeleton.favourited.has(head.id),
  reblogged: skeleton.reblogged.has(head.id),
  bookmarked: skeleton.bookmarked.has(head.id),
  muted: skeleton.muted.has(head.id),
  pinned: mayBePinned(head, viewerId) ? skeleton.pinned.has(head.id) : undefined,
})

const pollOf = (head: Head, viewerId: string, { skeleton, statuses, now }: Parts) => {
  const poll = statuses.get(head.id)?.poll
  if (!poll) return undefined
  const choices = skeleton.votes.get(head.id) ?? []
  const own = { hasVoted: choices.length > 0 || head.authorId === viewerId, choices }
  return presentPoll(poll, now, viewerId ? own : undefined)
}

/** What of the viewer's filters fits a status, by the text of the original. */
const filteredBy = ({ filters, statuses, textOf }: Parts, ids: readonly string[], originalId: string) => {
  const entry = filters && statuses.get(originalId)
  return entry && filteredOf(filters, ids, () => textOf(entry))
}

/** What is true of a status for this viewer at this moment. */
const overlayOf = (head: Head, viewerId: string, parts: Parts): Overlay => ({
  repliesCount: head.repliesCount,
  reblogsCount: head.reblogsCount,
  favouritesCount: head.favouritesCount,
  flags: viewerId ? flagsOf(head, viewerId, parts.skeleton) : undefined,
  poll: pollOf(head, viewerId, parts),
  filtered: filteredBy(parts, [head.id], head.id),
})

const itemOf = (head: Head, viewerId: string, parts: Parts): StatusItem => {
  const original = head.reblogOfId === undefined ? undefined : parts.skeleton.heads.get(head.reblogOfId)
  const overlay = overlayOf(head, viewerId, parts)
  if (!original) return { id: head.id, overlay, reblogOfId: '', reblogOverlay: undefined }
  const filtered = filteredBy(parts, [head.id, original.id], original.id)
  // The wrapper shows the state of what it boosts.
  const reblogOverlay = overlayOf(original, viewerId, parts)
  const flags = overlay.flags && reblogOverlay.flags ? { ...reblogOverlay.flags, pinned: undefined } : undefined
  return { id: head.id, overlay: { ...reblogOverlay, flags, poll: undefined, filtered }, reblogOfId: original.id, reblogOverlay }
}

/** The page's items in order, with every body and account once. Statuses that lack one of their parts drop out. */
export const presentPage = (ids: readonly string[], viewerId: string, parts: Parts): StatusPage => {
  const { skeleton, statuses, accounts } = parts
  const items: StatusItem[] = []
  const shownStatuses = new Map<string, StatusView>()
  const shownAccounts = new Map<string, AccountView>()
  for (const id of ids) {
    const head = skeleton.heads.get(id)
    const halves = head?.reblogOfId === undefined ? [id] : [id, head.reblogOfId]
    const views = halves.map((half) => statuses.get(half)?.view)
    const authors = views.map((view) => view && accounts.get(view.accountId))
    if (!head || views.includes(undefined) || authors.includes(undefined)) continue
    for (const view of views) if (view) shownStatuses.set(view.id, view)
    for (const author of authors) if (author) shownAccounts.set(author.id, author)
    items.push(itemOf(head, viewerId, parts))
  }
  return {
    items,
    statuses: [...shownStatuses.values()],
    accounts: [...shownAccounts.values()],
    cursors: undefined,
    isRebuilding: false,
  }
}

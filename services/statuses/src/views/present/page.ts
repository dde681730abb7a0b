import type { AccountView, Flags, Overlay, StatusItem, StatusPage, StatusView } from '@rookery/contracts/statuses'
import { isDirect } from '../../audience/index.ts'
import type { FoldedText, ViewerFilters } from '../../content/keywords/index.ts'
import type { Head } from '../head.store.ts'
import type { Skeleton } from '../skeleton.store.ts'
import { filteredOf } from './filtered.ts'
import { ownVotesOf, presentPoll } from './poll.ts'
import { approvalFor, presentQuote, type QuoteViewer, quotedHead, STRANGER } from './quote.ts'
import type { StatusEntry } from './status.ts'

/** The inputs of a page: the skeleton and, by id, its bodies and accounts. */
export type Parts = {
  skeleton: Skeleton
  statuses: ReadonlyMap<string, StatusEntry>
  accounts: ReadonlyMap<string, AccountView>
  /** The authors of the statuses' cards, by status. */
  cardAuthors: ReadonlyMap<string, AccountView>
  /** The viewer's filters, if any. */
  filters: ViewerFilters | undefined
  /** The reader. `STRANGER` for a page shared by many viewers, which includes quoted statuses that only some of them may see. */
  reader: QuoteViewer
  /** The text of a status for filters. */
  textOf: (entry: StatusEntry) => FoldedText
  /** The current time, in milliseconds since 1970: decides what has expired. */
  now: number
}

/** Whether the viewer could pin this status (beyond-the-spec 1.10, Pin): otherwise it has no `pinned` flag. */
export const mayBePinned = (head: Head, viewerId: string) =>
  head.authorId === viewerId && head.reblogOfId === undefined && !isDirect(head.visibility)

const flagsOf = (head: Head, viewerId: string, skeleton: Skeleton): Flags => ({
  favourited: skeleton.favourited.has(head.id),
  reblogged: skeleton.reblogged.has(head.id),
  bookmarked: skeleton.bookmarked.has(head.id),
  muted: skeleton.mutedThreads.has(head.threadId),
  pinned: mayBePinned(head, viewerId) ? skeleton.pinned.has(head.id) : undefined,
})

const pollOf = (head: Head, viewerId: string, { skeleton, statuses, now }: Parts) => {
  const poll = statuses.get(head.id)?.poll
  if (!poll) return undefined
  return presentPoll(poll, now, viewerId ? ownVotesOf(head, viewerId, skeleton.votes.get(head.id)) : undefined)
}

/** The viewer's filters that match a status, by the text of the original. */
const filteredBy = ({ filters, statuses, textOf }: Parts, ids: readonly string[], originalId: string) => {
  const entry = filters && statuses.get(originalId)
  return entry && filteredOf(filters, ids, () => textOf(entry))
}

/** The viewer state of a status, without its quote. */
const plainOverlay = (head: Head, viewerId: string, parts: Parts): Overlay => ({
  repliesCount: head.repliesCount,
  reblogsCount: head.reblogsCount,
  favouritesCount: head.favouritesCount,
  quotesCount: head.quotesCount,
  quotePolicy: head.quotePolicy,
  quoteApproval: approvalFor(head, parts.reader, parts.skeleton),
  flags: viewerId ? flagsOf(head, viewerId, parts.skeleton) : undefined,
  poll: pollOf(head, viewerId, parts),
  filtered: filteredBy(parts, [head.id], head.id),
})

const overlayOf = (head: Head, viewerId: string, parts: Parts): Overlay => {
  const { reader, skeleton } = parts
  const overlay = plainOverlay(head, viewerId, parts)
  if (skeleton.quotes.size === 0) return overlay
  const within = (id: string) => presentQuote(id, reader, { parts: skeleton })
  const quotedOverlay = (quoted: Head) => ({ ...plainOverlay(quoted, viewerId, parts), quote: within(quoted.id) })
  const quote = presentQuote(head.id, reader, { parts: skeleton, overlayOf: quotedOverlay })
  const quoted = reader === STRANGER ? quotedHead(head.id, skeleton) : undefined
  return { ...overlay, quote: quote && quoted ? { ...quote, overlay: quotedOverlay(quoted) } : quote }
}

const itemOf = (head: Head, viewerId: string, parts: Parts): StatusItem => {
  const original = head.reblogOfId === undefined ? undefined : parts.skeleton.heads.get(head.reblogOfId)
  const overlay = overlayOf(head, viewerId, parts)
  if (!original) return { id: head.id, overlay, reblogOfId: '', reblogOverlay: undefined }
  const filtered = filteredBy(parts, [head.id, original.id], original.id)
  // The boost shows the viewer state of the boosted status.
  const reblogOverlay = overlayOf(original, viewerId, parts)
  const flags = overlay.flags && reblogOverlay.flags ? { ...reblogOverlay.flags, pinned: undefined } : undefined
  return {
    id: head.id,
    overlay: { ...reblogOverlay, flags, poll: undefined, quote: undefined, filtered },
    reblogOfId: original.id,
    reblogOverlay,
  }
}

type Shown = { view: StatusView; author: AccountView; cardAuthor: AccountView | undefined }

/** A status with its author; undefined if one of them is missing. */
const shownOf = (id: string, { statuses, accounts, cardAuthors }: Parts): Shown | undefined => {
  const view = statuses.get(id)?.view
  const author = view && accounts.get(view.accountId)
  if (!author) return undefined
  const cardAuthor = cardAuthors.get(id)
  return { view: cardAuthor ? { ...view, cardAuthorId: cardAuthor.id } : view, author, cardAuthor }
}

/** The quoted status of an item, if its viewer, or some of its viewers, may see it. */
const quotedBy = ({ id, overlay, reblogOfId, reblogOverlay }: StatusItem, parts: Parts): Shown | undefined => {
  const quoted = (reblogOverlay ?? overlay)?.quote?.overlay && quotedHead(reblogOfId || id, parts.skeleton)
  return quoted && shownOf(quoted.id, parts)
}

/** The page's items in order, with every body and account once. Statuses with a missing part are left out. */
export const presentPage = (ids: readonly string[], viewerId: string, parts: Parts): StatusPage => {
  const items: StatusItem[] = []
  const statuses = new Map<string, StatusView>()
  const accounts = new Map<string, AccountView>()
  const add = ({ view, author, cardAuthor }: Shown) => {
    statuses.set(view.id, view)
    for (const account of [author, cardAuthor]) if (account) accounts.set(account.id, account)
  }
  for (const id of ids) {
    const head = parts.skeleton.heads.get(id)
    const halves = (head?.reblogOfId === undefined ? [id] : [id, head.reblogOfId]).map((half) => shownOf(half, parts))
    if (!head || halves.includes(undefined)) continue
    const item = itemOf(head, viewerId, parts)
    for (const shown of [...halves, quotedBy(item, parts)]) if (shown) add(shown)
    items.push(item)
  }
  return { items, statuses: [...statuses.values()], accounts: [...accounts.values()], cursors: undefined, isRebuilding: false }
}

import { type Filtered, type Flags, type Overlay, type Quote, QuotePolicy, type ViewerQuote } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import type { Head } from './head.store.ts'
import { mayBePinned } from './present/page.ts'
import { ownVotesOf } from './present/poll.ts'
import { approvalFor, presentQuote, type QuoteViewer, quotedHead } from './present/quote.ts'
import type { Skeleton } from './skeleton.store.ts'
import { type QuoteTiesRow, readQuoteTies } from './viewers.store.ts'
import type { Views } from './views.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; views: Pick<Views, 'filteredFor'> }

/** A status viewed by many at once: its head, or that of the boosted status; and its quote as on a page for many viewers. */
type Viewed = { head: Head; skeleton: Skeleton; quote: Quote | undefined }

const NOTHING: ReadonlySet<string> = new Set()

/** Groups pairs by viewer. */
const byViewer = (pairs: readonly [string, string][]): ((viewerId: string) => ReadonlySet<string>) => {
  const found = new Map<string, Set<string>>()
  for (const [viewerId, other] of pairs) {
    const known = found.get(viewerId)
    if (known) known.add(other)
    else found.set(viewerId, new Set([other]))
  }
  return (viewerId) => found.get(viewerId) ?? NOTHING
}

/** Looks up votes by viewer and status: there may be thousands of both viewers and votes. */
const choicesIn = (votes: QuoteTiesRow['votes']) => {
  const found = new Map(votes.map(([viewerId, statusId, choices]) => [`${viewerId} ${statusId}`, choices]))
  return (viewerId: string, statusId: string) => found.get(`${viewerId} ${statusId}`)
}

type PairsOf = Omit<QuoteTiesRow, 'votes' | 'filtering'>
type Ties = { [Name in keyof PairsOf]: (viewerId: string) => ReadonlySet<string> } & {
  choices: ReturnType<typeof choicesIn>
  /** The matching filters of the viewers, for the quoted status. */
  filtered: ReadonlyMap<string, Filtered>
}

const tiesOf = (row: Omit<QuoteTiesRow, 'filtering'>, filtered: ReadonlyMap<string, Filtered>): Ties => ({
  followed: byViewer(row.followed),
  mentioned: byViewer(row.mentioned),
  blocking: byViewer(row.blocking),
  blockedBy: byViewer(row.blockedBy),
  muted: byViewer(row.muted),
  blockedDomains: byViewer(row.blockedDomains),
  favourited: byViewer(row.favourited),
  reblogged: byViewer(row.reblogged),
  bookmarked: byViewer(row.bookmarked),
  pinned: byViewer(row.pinned),
  threadMuted: byViewer(row.threadMuted),
  choices: choicesIn(row.votes),
  filtered,
})

const NO_ROW = {
  followed: [],
  mentioned: [],
  blocking: [],
  blockedBy: [],
  muted: [],
  blockedDomains: [],
  favourited: [],
  reblogged: [],
  bookmarked: [],
  pinned: [],
  threadMuted: [],
  votes: [],
}
const NO_TIES = tiesOf(NO_ROW, new Map())

/** The flags and votes of a viewer on a quoted status. */
const ownOf = (quoted: Head, viewerId: string, ties: Ties, poll: Overlay['poll']): Pick<Overlay, 'flags' | 'poll'> => {
  const { id } = quoted
  const flags: Flags = {
    favourited: ties.favourited(viewerId).has(id),
    reblogged: ties.reblogged(viewerId).has(id),
    bookmarked: ties.bookmarked(viewerId).has(id),
    muted: ties.threadMuted(viewerId).has(id),
    pinned: mayBePinned(quoted, viewerId) ? ties.pinned(viewerId).has(id) : undefined,
  }
  return { flags, poll: poll && { ...poll, ownVotes: ownVotesOf(quoted, viewerId, ties.choices(viewerId, id)) } }
}

/** The quote as one viewer sees it, by their relationships. */
const quotingOf = (viewerId: string, { head, skeleton, quote }: Viewed, ties: Ties, withFlags: boolean): ViewerQuote => {
  const blocks = {
    blocking: ties.blocking(viewerId),
    blockedBy: ties.blockedBy(viewerId),
    muted: ties.muted(viewerId),
    blockedDomains: ties.blockedDomains(viewerId),
  }
  const viewer: QuoteViewer = { id: viewerId, blocks }
  const { heads, quotes } = skeleton
  const parts = { heads, quotes, followed: ties.followed(viewerId), mentioned: ties.mentioned(viewerId) }
  const overlayOf = (quoted: Head): Overlay | undefined =>
    quote?.overlay && {
      ...quote.overlay,
      quoteApproval: approvalFor(quoted, viewer, parts),
      ...(withFlags && ownOf(quoted, viewerId, ties, quote.overlay.poll)),
      filtered: ties.filtered.get(viewerId) ?? { results: [] },
      quote: presentQuote(quoted.id, viewer, { parts }),
    }
  return { quoteApproval: approvalFor(head, viewer, parts), quote: presentQuote(head.id, viewer, { parts, overlayOf }) }
}

/** The heads whose authors' relationships to the viewer decide: of quoted statuses, and of a status that only followers may quote. */
const decidingHeads = ({ head, skeleton }: Viewed): Head[] => {
  const quoted = quotedHead(head.id, skeleton)
  const within = quoted && quotedHead(quoted.id, skeleton)
  const own = head.quotePolicy === QuotePolicy.FOLLOWERS ? head : undefined
  return [own, quoted, within].filter((each) => each !== undefined)
}

/**
 * The quote as each of these viewers sees it, where that differs from a page for many viewers: with their filters, and their flags and votes if
 * `withFlags`. No statement if the status has no quote and everyone or no one may quote it; otherwise one, with a warm cache.
 */
export const viewerQuotes =
  ({ database, clock, views }: Deps) =>
  async (viewerIds: readonly string[], viewed: Viewed, { withFlags }: { withFlags: boolean }): Promise<Map<string, ViewerQuote>> => {
    const { head } = viewed
    const deciding = decidingHeads(viewed)
    if (deciding.length === 0) {
      return viewerIds.includes(head.authorId)
        ? new Map([[head.authorId, quotingOf(head.authorId, viewed, NO_TIES, withFlags)]])
        : new Map()
    }
    const authorIds = [...new Set(deciding.map(({ authorId }) => authorId))]
    const statusIds = [...new Set(deciding.map(({ id }) => id))]
    const [row] = await readQuoteTies(database, { viewerIds, authorIds, statusIds, now: new Date(clock.now()) })
    const quoted = quotedHead(head.id, viewed.skeleton)
    const filtered = quoted && (await views.filteredFor(new Map(row!.filtering), { ids: [quoted.id], text: quoted }))
    const ties = tiesOf(row!, filtered ?? new Map())
    return new Map(viewerIds.map((viewerId) => [viewerId, quotingOf(viewerId, viewed, ties, withFlags)]))
  }

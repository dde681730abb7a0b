import type { Filtered, StatusPage } from '@rookery/contracts/statuses'
import { type Database, isUniqueViolation } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { isDirect, quoteApproval } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type AccountRow, presentAccount, presentPoll, presentStatus, type StatusEntry, type Views } from '../../views/index.ts'
import { unless } from './attempts.ts'
import { type FinalizedDraft, newStatusEvents, rowOf, storedMention } from './draft.rules.ts'
import { insertRemoteStatus, insertScheduled, type NewStatus } from './insert-status.store.ts'
import { isOvertaken } from './posting-order.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views }

/** A scheduled status at the version that was read. */
type ReadSchedule = { id: string; version: number }

/** `reservation` is that of the request that publishes the scheduled status. */
type WriteOptions = { trace: string; isOrdered: boolean; scheduled?: ReadSchedule; reservation?: string | undefined }

/** The insert parameters of a status. Its events get the trace of the current request. */
export const toWrite = (
  status: FinalizedDraft,
  { outbox, trace, isOrdered, scheduledId }: { outbox: Outbox; trace: string; isOrdered: boolean; scheduledId?: string },
): NewStatus => {
  const events = newStatusEvents(status, scheduledId).map((event) => outbox.row(event, trace))
  return newStatus(status, events, isOrdered)
}

/** The page of a new status, built from the written values. */
export const writtenPage = async ({ outbox, views }: Deps, status: FinalizedDraft, account: AccountRow): Promise<StatusPage> => {
  outbox.wake()
  const entry = presentStatus(rowOf(status))
  const author = presentAccount(account)
  views.keep({ status: entry, account: author })
  if (status.quoted) return views.byIds(status.authorId, [status.id], 'direct')
  return publishedPage(entry, author, { status, filtered: await filteredOf(views, status, entry) })
}

const waitingOf = ({ id, version }: ReadSchedule) => ({ scheduledId: id, scheduledVersion: version })

const isTaken = (error: unknown) => isOvertaken(error) || isUniqueViolation(error, 'status_uri')

/**
 * Writes a remote or a scheduled status; undefined if its id or uri existed already. The same statement deletes the scheduled one; undefined if it
 * was changed, published or cancelled since it was read. With `isOrdered` also undefined if the author has meanwhile published a higher id: the
 * caller retries with a new one. The response is built from the written values.
 */
export const writeStatus =
  (deps: Deps) =>
  async (status: FinalizedDraft, { trace, isOrdered, scheduled, reservation }: WriteOptions): Promise<StatusPage | undefined> => {
    const { database, outbox } = deps
    const values = toWrite(status, { outbox, trace, isOrdered, ...(scheduled && { scheduledId: scheduled.id }) })
    const inserted = scheduled
      ? insertScheduled(database, values, { ...waitingOf(scheduled), reservation: reservation ?? null })
      : insertRemoteStatus(database, values)
    const account = await unless(isTaken, inserted)
    return account && writtenPage(deps, status, account)
  }

const pollColumns = (poll: FinalizedDraft['poll']) => ({
  pollExpiresAt: poll?.expiresAt ? new Date(poll.expiresAt) : null,
  isMultiple: poll?.isMultiple ?? false,
  hidesTotals: poll?.hidesTotals ?? false,
  pollOptions: poll?.options ?? [],
  pollVotes: poll?.votes ?? [],
  pollVoters: poll?.voters ?? 0,
})

/** The insert parameters of a status. */
const newStatus = (status: FinalizedDraft, events: readonly ReturnType<Outbox['row']>[], isOrdered: boolean): NewStatus => ({
  id: status.id,
  uri: status.origin?.uri ?? null,
  url: status.origin?.url ?? null,
  isLocal: status.origin === undefined,
  isFetched: status.isFetched ?? false,
  authorId: status.authorId,
  visibility: status.visibility,
  isListed: status.isListed,
  isReplyToOther: status.isReplyToOther,
  hasMedia: status.attachments.length > 0,
  text: status.text,
  spoilerText: status.spoilerText,
  sensitive: status.sensitive,
  language: status.language,
  content: status.content,
  inReplyToId: status.parent?.id ?? null,
  inReplyToAccountId: status.parent?.authorId ?? null,
  quotePolicy: status.quotePolicy,
  quotedId: status.quoted?.id ?? null,
  quoteState: status.quoteState,
  quoteAuthorizationUri: status.quoteAuthorizationUri || null,
  createdAt: status.createdAt,
  editedAt: status.editedAt ?? null,
  applicationName: status.application?.name ?? null,
  applicationWebsite: status.application?.website || null,
  mentions: JSON.stringify(status.people.map(storedMention)),
  attachments: JSON.stringify(status.attachments),
  emojis: JSON.stringify(status.emojis),
  mentionedIds: status.people.map(({ id }) => id),
  tags: status.tags.map(({ name }) => name),
  displays: status.tags.map(({ display }) => display),
  topics: events.map(({ topic }) => topic),
  keys: events.map(({ key }) => key),
  envelopes: events.map(({ envelope }) => envelope),
  ...pollColumns(status.poll),
  // Files are claimed for the id, so it must not change.
  isOrdered: isOrdered && status.attachments.length === 0,
})

/** The author's own filters that match the status. */
const filteredOf = async (
  views: Views,
  { authorId, contextVersion }: FinalizedDraft,
  entry: StatusEntry,
): Promise<Filtered | undefined> => {
  if (contextVersion === undefined) return undefined
  return (await views.filteredFor(new Map([[authorId, contextVersion]]), { ids: [entry.id], text: entry })).get(authorId)
}

/** A new status without interactions, as its author sees it. */
const publishedPage = (
  { view, poll: asked }: StatusEntry,
  author: StatusPage['accounts'][number],
  { status, filtered }: { status: FinalizedDraft; filtered: Filtered | undefined },
): StatusPage => {
  const poll = asked ? presentPoll(asked, status.createdAt.getTime(), { hasVoted: true, choices: [] }) : undefined
  const flags = { favourited: false, reblogged: false, bookmarked: false, muted: status.parent?.isMuted ?? false }
  const pinned = isDirect(status.visibility) ? {} : { pinned: false }
  const counts = { repliesCount: 0, reblogsCount: 0, favouritesCount: 0, quotesCount: 0 }
  const viewer = { id: status.authorId, follows: false }
  const quoting = { quotePolicy: status.quotePolicy, quoteApproval: quoteApproval(status, viewer) }
  const overlay = { ...counts, ...quoting, flags: { ...flags, ...pinned }, poll, filtered }
  return {
    items: [{ id: view.id, overlay, reblogOfId: '', reblogOverlay: undefined }],
    statuses: [view],
    accounts: [author],
    cursors: undefined,
    isRebuilding: false,
  }
}

import { type Application, type PublishRequest, QuoteApproval, QuotePolicy, QuoteState, Visibility } from '@rookery/contracts/statuses'
import type { OutboxEvent } from '@rookery/events'
import { Failure } from '@rookery/failures'
import { timeOfId } from '@rookery/ids'
import { hashtagsIn, renderStatus } from '@rookery/markup'
import { allowedQuotePolicy, isDirect, isOpen, isPrivate, quoteApproval, recipientAddressed } from '../../audience/index.ts'
import { linkShown } from '../../content/cards/index.ts'
import { type Mentionable, mentionsOf } from '../../content/text/index.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment, StoredMention, StoredOrigin } from '../../database/tables/status.ts'
import type { StatusRow } from '../../views/index.ts'
import { storedPoll } from '../polls/index.ts'
import type { MentionedRow, ParentRow, PreparationRow, QuotedRow } from './publish-status.store.ts'
import { statusPublished } from './status.events.ts'
import { defaultVisibility, isListed, isSensitive, postedVisibility, quotesAnother, wording } from './status.rules.ts'
import { visibilityName } from './visibility.ts'

/** A status to be written, without its id and attachments. */
export type Draft = {
  authorId: string
  username: string
  visibility: Visibility
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  parent: Pick<ParentRow, 'id' | 'authorId' | 'isDirect' | 'isMuted'> | undefined
  quoted: QuotedRow | undefined
  /** The state of the quote, if there is one. */
  quoteState: QuoteState
  /** The approval of a quote of a remote status. */
  quoteAuthorizationUri?: string
  quotePolicy: QuotePolicy
  isReplyToOther: boolean
  isListed: boolean
  application: Application | undefined
  people: MentionedRow[]
  tags: { name: string; display: string }[]
  authorCreatedAt: Date
  isAuthorSilenced: boolean
  isAuthorStaff: boolean
  poll: StoredPoll | null
  emojis: StoredEmoji[]
  /** The first external link in the text. */
  link: string | undefined
  /** The version of the author's context, if they have filters. */
  contextVersion: number | undefined
  /** Set for a remote status. */
  origin?: StoredOrigin
  /** Fetched on request, by itself or with its thread. */
  isFetched?: boolean
}

/** A draft with its id and attachments, ready to be written; `editedAt` of a remote status that was edited before it arrived. */
export type FinalizedDraft = Draft & { id: string; createdAt: Date; attachments: StoredAttachment[]; editedAt?: Date | undefined }

const POLICIES: ReadonlyMap<string, QuotePolicy> = new Map([
  ['nobody', QuotePolicy.NOBODY],
  ['followers', QuotePolicy.FOLLOWERS],
])

/** The default quote policy of an account's posts, by its preference. */
export const defaultQuotePolicy = (preference: string | null): QuotePolicy => POLICIES.get(preference ?? '') ?? QuotePolicy.PUBLIC

/** The fault for a quoted status that does not exist or may not be quoted: the same for both, so as not to reveal which. */
export const NOT_QUOTABLE = 'The post you are trying to quote does not appear to exist.'

/** Whether the author may quote a status: they may see it, its policy allows it, and neither blocks the other. */
export const mayQuote = (quoted: QuotedRow, authorId: string): boolean =>
  quoted.maySee && !quoted.hasBlock && quoteApproval(quoted, { id: authorId, follows: quoted.isFollowed }) !== QuoteApproval.DENIED

/**
 * The status that a request quotes, if any. One that may not be quoted is reported missing, in upstream's words.
 * @throws Failure not_found; invalid for quoting someone whom a direct status does not mention
 */
const quotedOf = (
  { authorId, quotedStatusId }: PublishRequest,
  quoted: QuotedRow | null,
  { visibility, people }: { visibility: Visibility; people: readonly MentionedRow[] },
): QuotedRow | undefined => {
  if (!quotedStatusId) return undefined
  if (!quoted || !mayQuote(quoted, authorId)) {
    throw new Failure('not_found', NOT_QUOTABLE)
  }
  const isHeard = quoted.authorId === authorId || people.some(({ id }) => id === quoted.authorId)
  if (isDirect(visibility) && !isHeard) throw new Failure('invalid', 'Cannot quote a non-mentioned user in a Private Mention post.')
  return quoted
}

/** The initial state of a quote: for a remote status, its author must approve it. */
const quoteStateOf = (quoted: QuotedRow | undefined, authorId: string): QuoteState =>
  quoted && !quoted.isLocal && quoted.authorId !== authorId ? QuoteState.PENDING : QuoteState.ACCEPTED

/** The message for mentions that the author did not intend. */
const UNEXPECTED_MENTIONS = 'Post would be sent to unexpected accounts'

/** @throws Failure invalid with the ids of mentioned accounts that the request does not allow (beyond-the-spec 2.1) */
const refuseUnexpected = ({ authorId, allowedMentions }: PublishRequest, people: readonly MentionedRow[]): void => {
  if (!allowedMentions) return
  const allowed = new Set([authorId, ...allowedMentions.accountIds])
  const unexpected = people.filter(({ id }) => !allowed.has(id))
  if (unexpected.length === 0) return
  const violations = unexpected.map(({ id }) => ({ field: 'unexpected_accounts', code: 'ERR_UNEXPECTED', description: id }))
  throw new Failure('invalid', UNEXPECTED_MENTIONS, { violations })
}

/** Restricts the visibility: a quote of a private status is private at most. */
const visibilityQuoting = (visibility: Visibility, quoted: QuotedRow | undefined): Visibility =>
  quoted && isPrivate(quoted.visibility) && isOpen(visibility) ? Visibility.PRIVATE : visibility

/**
 * Drafts the requested status, with its author's defaults (beyond-the-spec 1.10, Defaults). Accounts behind a block are not mentioned.
 * @throws Failure not_found, invalid
 */
export const draftOf = (
  request: PublishRequest,
  prepared: PreparationRow,
  place: { baseUrl: string; domain: string; emojis: StoredEmoji[]; language: string | null; now: number },
): Draft => {
  const { parent, username, isSilenced, isStaff, mentioned, unusableTags } = prepared
  const { text, spoilerText } = wording(request, quotesAnother(request))
  const people = (mentioned ?? []).filter((person) => !person.hasBlock)
  refuseUnexpected(request, people)
  const wanted = postedVisibility(request.visibility || defaultVisibility(prepared), isSilenced)
  const quoted = quotedOf(request, prepared.quoted, { visibility: wanted, people })
  const visibility = visibilityQuoting(wanted, quoted)
  const isReplyToOther = parent !== null && parent.authorId !== request.authorId
  return {
    authorId: request.authorId,
    username,
    visibility,
    text,
    spoilerText,
    sensitive: isSensitive(request, prepared.defaultSensitive),
    language: place.language,
    content: renderStatus(text, { ...place, mentions: mentionsOf(text, people, place.domain), unusableTags }),
    parent: parent ?? undefined,
    quoted,
    quoteState: quoteStateOf(quoted, request.authorId),
    quotePolicy: allowedQuotePolicy(request.quotePolicy ?? defaultQuotePolicy(prepared.defaultQuotePolicy), visibility),
    isReplyToOther,
    isListed: isListed(visibility, isReplyToOther),
    application: request.application,
    people,
    tags: hashtagsIn(text).filter(({ name }) => !unusableTags.includes(name)),
    authorCreatedAt: prepared.createdAt,
    isAuthorSilenced: isSilenced,
    isAuthorStaff: isStaff,
    poll: request.poll ? storedPoll(request.poll, place.now) : null,
    emojis: place.emojis,
    link: quoted ? undefined : linkShown({ text, attachments: [] }, place.baseUrl),
    contextVersion: prepared.contextVersion ?? undefined,
  }
}

/** A mentioned account as it is stored with the status. */
export const storedMention = ({ id, username, origin }: Mentionable): StoredMention => ({ id, username, ...(origin ? { origin } : {}) })

/** Completes a draft with its id and attachments; the id's time becomes the status's. */
export const finalizeDraft = (draft: Draft, id: string, attachments: StoredAttachment[]): FinalizedDraft => ({
  ...draft,
  id,
  createdAt: new Date(timeOfId(id)),
  attachments,
})

/** The written row, as a reader would load it. */
export const rowOf = (status: FinalizedDraft): StatusRow => ({
  id: status.id,
  version: 1,
  accountId: status.authorId,
  username: status.username,
  uri: status.origin?.uri ?? null,
  url: status.origin?.url ?? null,
  domain: status.origin?.domain ?? null,
  visibility: status.visibility,
  reblogOfId: null,
  spoilerText: status.spoilerText,
  sensitive: status.sensitive,
  language: status.language,
  content: status.content,
  inReplyToId: status.parent?.id ?? null,
  inReplyToAccountId: status.parent?.authorId ?? null,
  createdAt: status.createdAt,
  editedAt: status.editedAt ?? null,
  applicationName: status.application?.name ?? null,
  applicationWebsite: status.application?.website || null,
  mentions: status.people.map(storedMention),
  tags: status.tags.map(({ name }) => name),
  attachments: status.attachments,
  poll: status.poll,
  emojis: status.emojis,
  card: null,
})

const mentionEvent = (status: FinalizedDraft, person: MentionedRow): OutboxEvent =>
  recipientAddressed(
    { recipientId: person.id, reason: 'mention', actorId: status.authorId, statusId: status.id },
    {
      followsActor: person.followsAuthor,
      followedSince: person.followedSince,
      actorCreatedAt: status.authorCreatedAt,
      isActorLimited: status.isAuthorSilenced,
      isActorStaff: status.isAuthorStaff,
      isPrivateMention: isDirect(status.visibility),
      isReplyToRecipient: isDirect(status.visibility) && status.parent?.isDirect === true && status.parent.authorId === person.id,
    },
  )

/** Notifies the author of the quoted status, unless it is the same account, or the quote awaits approval. */
const quoteEvents = ({ id, authorId, quoted, quoteState, ...author }: FinalizedDraft): OutboxEvent[] =>
  quoted && quoted.authorId !== authorId && quoted.mayNotify && quoteState === QuoteState.ACCEPTED
    ? [
        recipientAddressed(
          { recipientId: quoted.authorId, reason: 'quote', actorId: authorId, statusId: id },
          {
            followsActor: quoted.followsAuthor,
            followedSince: quoted.followedSince,
            actorCreatedAt: author.authorCreatedAt,
            isActorLimited: author.isAuthorSilenced,
            isActorStaff: author.isAuthorStaff,
          },
        ),
      ]
    : []

/** The events of a new status: its publication, its scheduled status if it had one, and notifications (beyond-the-spec 1.14). */
export const newStatusEvents = (status: FinalizedDraft, scheduledId?: string): OutboxEvent[] => [
  statusPublished({
    statusId: status.id,
    authorId: status.authorId,
    reblogOfId: '',
    reblogOfAuthorId: '',
    visibility: visibilityName(status.visibility),
    inReplyToAccountId: status.parent?.authorId ?? '',
    tags: status.tags.map(({ name }) => name),
    hasMedia: status.attachments.length > 0,
    mentionedAccountIds: status.people.map(({ id }) => id),
    poll: status.poll?.expiresAt ? { expiresAtMilliseconds: status.poll.expiresAt } : undefined,
    scheduledId,
    link: status.attachments.length > 0 ? undefined : status.link,
    isFetched: status.isFetched || undefined,
    quotedAuthorId: status.quoted?.authorId,
  }),
  ...status.people
    .filter((person) => !status.isFetched && person.id !== status.authorId && person.mayNotify)
    .map((person) => mentionEvent(status, person)),
  ...quoteEvents(status),
]

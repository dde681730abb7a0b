import type { Application, PublishRequest, Visibility } from '@rookery/contracts/statuses'
import type { OutboxEvent } from '@rookery/events'
import { timeOfId } from '@rookery/ids'
import { hashtagsIn, renderStatus } from '@rookery/markup'
import { isDirect, recipientAddressed } from '../../audience/index.ts'
import { linkShown } from '../../content/cards/index.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { StatusRow } from '../../views/index.ts'
import { storedPoll } from '../polls/index.ts'
import type { MentionedRow, ParentRow, PreparationRow } from './publish-status.store.ts'
import { statusPublished } from './status.events.ts'
import { defaultVisibility, isListed, isSensitive, postedVisibility, wording } from './status.rules.ts'
import { visibilityName } from './visibility.ts'

/** A finalized status without its id and its files. */
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
  /** The first address elsewhere that its text names. */
  link: string | undefined
  /** The version of the author's context, when they filter anything. */
  contextVersion: number | undefined
}

/** A draft that is ready to be written. */
export type FinalizedDraft = Draft & { id: string; createdAt: Date; attachments: StoredAttachment[] }

/** The status a request asks for, by its author's defaults (beyond-the-spec 1.10, Defaults). Accounts behind a block are not mentioned. */
export const draftOf = (
  request: PublishRequest,
  prepared: PreparationRow,
  place: { baseUrl: string; domain: string; emojis: StoredEmoji[]; language: string | null; now: number },
): Draft => {
  const { parent, username, isSilenced, isStaff, mentioned } = prepared
  const { text, spoilerText } = wording(request)
  const people = (mentioned ?? []).filter((person) => !person.hasBlock)
  const mentions = new Map(people.map((person) => [person.username.toLowerCase(), person]))
  const visibility = postedVisibility(request.visibility || defaultVisibility(prepared), isSilenced)
  const isReplyToOther = parent !== null && parent.authorId !== request.authorId
  return {
    authorId: request.authorId,
    username,
    visibility,
    text,
    spoilerText,
    sensitive: isSensitive(request, prepared.defaultSensitive),
    language: place.language,
    content: renderStatus(text, { ...place, mentions }),
    parent: parent ?? undefined,
    isReplyToOther,
    isListed: isListed(visibility, isReplyToOther),
    application: request.application,
    people,
    tags: hashtagsIn(text),
    authorCreatedAt: prepared.createdAt,
    isAuthorSilenced: isSilenced,
    isAuthorStaff: isStaff,
    poll: request.poll ? storedPoll(request.poll, place.now) : null,
    emojis: place.emojis,
    link: linkShown({ text, attachments: [] }, place.baseUrl),
    contextVersion: prepared.contextVersion ?? undefined,
  }
}

/** The draft under its id, whose time is the status's. */
export const finalizeDraft = (draft: Draft, id: string, attachments: StoredAttachment[]): FinalizedDraft => ({
  ...draft,
  id,
  createdAt: new Date(timeOfId(id)),
  attachments,
})

/** The row that was written, as a reader would load it. */
export const rowOf = (status: FinalizedDraft): StatusRow => ({
  id: status.id,
  version: 1,
  accountId: status.authorId,
  username: status.username,
  visibility: status.visibility,
  reblogOfId: null,
  spoilerText: status.spoilerText,
  sensitive: status.sensitive,
  language: status.language,
  content: status.content,
  inReplyToId: status.parent?.id ?? null,
  inReplyToAccountId: status.parent?.authorId ?? null,
  createdAt: status.createdAt,
  editedAt: null,
  applicationName: status.application?.name ?? null,
  applicationWebsite: status.application?.website || null,
  mentions: status.people.map(({ id, username }) => ({ id, username })),
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

/**
 * What others must learn of a new status: that it exists, which scheduled one it was, and who is to be notified
 * (beyond-the-spec 1.14).
 */
export const factsOf = (status: FinalizedDraft, scheduledId?: string): OutboxEvent[] => [
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
    poll: status.poll ? { expiresAtMilliseconds: status.poll.expiresAt } : undefined,
    scheduledId,
    link: status.attachments.length > 0 ? undefined : status.link,
  }),
  ...status.people.filter((person) => person.id !== status.authorId && person.mayNotify).map((person) => mentionEvent(status, person)),
]

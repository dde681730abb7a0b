import { type PublishRequest, type StatusPage, Visibility } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { KeyedFact, Outbox } from '@rookery/events'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import { type Ids, timeOfId } from '@rookery/ids'
import { hashtagsIn, renderStatus } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { localMentions } from '../text/index.ts'
import { assembleAccount, assembleStatus, type StatusRow, type Views } from '../views/index.ts'
import { type AttachmentClaims, storedAttachment } from './attachment-claims.ts'
import { insertStatus, type MentionedRow, type ParentRow, prepare, readAuthor, reserveKey } from './publish-status.store.ts'
import { recipientAddressed, statusPublished } from './status.events.ts'
import { defaultVisibility, isListed, languageCode, textFaults, wording } from './status.rules.ts'
import type { StoredAttachment, StoredMention } from './status.tables.ts'
import { visibilityName } from './visibility.ts'

type Given = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  outbox: Outbox
  ids: Ids
  clock: Clock
  baseUrl: string
}

const HOUR = 3_600_000
const LONGEST_KEY = 255
const MOST_ATTEMPTS = 5

/** A status that is settled but for being written. */
type Draft = {
  id: string
  authorId: string
  username: string
  visibility: Visibility
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | undefined
  content: string
  parent: ParentRow | undefined
  createdAt: Date
  application: { name: string; website: string } | undefined
  people: MentionedRow[]
  tags: { name: string; display: string }[]
  attachments: StoredAttachment[]
  authorCreatedAt: Date
}

/**
 * Publishes a status (spec, POST /api/v1/statuses; beyond-the-spec 1.10). The same Idempotency-Key within an hour answers with the same
 * status, also when both requests are under way at once. The answer is built from what was written; nothing is read back.
 * @throws Failure invalid for text over the limits or files that cannot be attached, not_found for a parent the author cannot see
 */
export const publishStatus = (given: Given) => {
  const domain = new URL(given.baseUrl).host

  /** The id this status will have: with a key the one reserved for it, so that repeats write the same row. */
  const reserveId = async (request: PublishRequest) => {
    const id = given.ids.next()
    if (!request.idempotencyKey) return { id, isRepeat: false }
    const now = given.clock.now()
    const key = request.idempotencyKey.slice(0, LONGEST_KEY)
    const [row] = await reserveKey(given.database, [request.authorId, key, id, new Date(now), new Date(now - HOUR)])
    return { id: row![0], isRepeat: row![0] !== id }
  }

  const draft = async (call: Call, request: PublishRequest, id: string): Promise<Draft> => {
    const { text, spoilerText } = wording(request.text, request.spoilerText)
    const faults = textFaults(text, spoilerText, request.mediaIds.length)
    if (faults.length > 0) throw invalid(...faults)
    const now = new Date(given.clock.now())
    const usernames = localMentions(text, domain)
    const [prepared] = await prepare(given.database, [request.authorId, request.inReplyToId || null, usernames, now])
    const [username, locked, defaultPrivacy, defaultSensitive, defaultLanguage, authorCreatedAt, parent, mentioned] = orNotFound(prepared)
    if (request.inReplyToId && !parent?.may_see) {
      throw new Failure('not_found', 'The post you are trying to reply to does not appear to exist.')
    }
    const attachments = await given.claims(call, { ownerId: request.authorId, ids: request.mediaIds, subjectId: id })
    const people = (mentioned ?? []).filter((person) => !person.has_block)
    const mentions = new Map(people.map((person) => [person.username.toLowerCase(), person]))
    return {
      id,
      authorId: request.authorId,
      username,
      visibility: request.visibility || defaultVisibility({ locked, defaultPrivacy }),
      text,
      spoilerText,
      sensitive: (request.sensitive ?? defaultSensitive) || spoilerText !== '',
      language: languageCode(request.language) ?? defaultLanguage ?? undefined,
      content: renderStatus(text, { baseUrl: given.baseUrl, domain, mentions }),
      parent: parent ?? undefined,
      createdAt: new Date(timeOfId(id)),
      application: request.application,
      people,
      tags: hashtagsIn(text),
      attachments: attachments.map(storedAttachment),
      authorCreatedAt,
    }
  }

  const existing = async (id: string, authorId: string) => {
    const [holder] = await readAuthor(given.database, [id])
    return holder?.[0] === authorId ? given.views.byIds(authorId, [id], 'direct') : undefined
  }

  const publish = async (call: Call, request: PublishRequest): Promise<StatusPage> => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const { id, isRepeat } = await reserveId(request)
      // A repeat answers with the first status, whatever else it says.
      const first = isRepeat ? await existing(id, request.authorId) : undefined
      const page = first ?? (await write(given, call, await draft(call, request, id))) ?? (await existing(id, request.authorId))
      if (page) return page
      // The id is another author's: two processes made the same one, and the next will differ.
    }
    throw new Failure('conflict', 'Conflict during update, please try again')
  }

  return publish
}

/** Writes a draft; undefined when its id was there already. */
const write = async ({ database, outbox, views }: Given, call: Call, draft: Draft): Promise<StatusPage | undefined> => {
  const { parent } = draft
  const parentId = parent?.id ?? null
  const isReplyToOther = parent !== undefined && parent.author_id !== draft.authorId
  const mentions: StoredMention[] = draft.people.map(({ id, username }) => ({ id, username }))
  const tags = draft.tags.map(({ name }) => name)
  const facts = factsOf(draft, tags).map((fact) => outbox.row(fact, call.trace))
  const [account] = await insertStatus(database, [
    draft.id,
    draft.authorId,
    draft.visibility,
    isListed(draft.visibility, isReplyToOther),
    isReplyToOther,
    draft.attachments.length > 0,
    draft.text,
    draft.spoilerText,
    draft.sensitive,
    draft.language ?? null,
    draft.content,
    parentId,
    parent?.author_id ?? null,
    draft.createdAt,
    draft.application?.name ?? null,
    draft.application?.website || null,
    JSON.stringify(mentions),
    tags,
    JSON.stringify(draft.attachments),
    draft.people.map(({ id }) => id),
    draft.tags.map(({ display }) => display),
    facts.map(({ topic }) => topic),
    facts.map(({ key }) => key),
    facts.map(({ envelope }) => envelope),
  ])
  if (!account) return undefined
  outbox.wake()
  const row: StatusRow = [
    draft.id,
    1,
    draft.authorId,
    draft.username,
    draft.visibility,
    null,
    draft.spoilerText,
    draft.sensitive,
    draft.language ?? null,
    draft.content,
    parentId,
    parent?.author_id ?? null,
    draft.createdAt,
    null,
    draft.application?.name ?? null,
    draft.application?.website || null,
    mentions,
    tags,
    draft.attachments,
  ]
  const status = assembleStatus(row)
  const author = assembleAccount(account)
  views.keep({ status, account: author })
  const flags = {
    favourited: false,
    reblogged: false,
    bookmarked: false,
    muted: false,
    ...(draft.visibility === Visibility.DIRECT ? {} : { pinned: false }),
  }
  return {
    items: [
      { id: draft.id, overlay: { repliesCount: 0, reblogsCount: 0, favouritesCount: 0, flags }, reblogOfId: '', reblogOverlay: undefined },
    ],
    statuses: [status],
    accounts: [author],
    cursors: undefined,
    isRebuilding: false,
  }
}

/** What others must learn of it: that it exists, and who has reason to be told (beyond-the-spec 1.14). */
const factsOf = (draft: Draft, tags: string[]): KeyedFact[] => [
  statusPublished({
    statusId: draft.id,
    authorId: draft.authorId,
    reblogOfId: '',
    reblogOfAuthorId: '',
    visibility: visibilityName(draft.visibility),
    inReplyToAccountId: draft.parent?.author_id ?? '',
    tags,
    hasMedia: draft.attachments.length > 0,
    mentionedAccountIds: draft.people.map(({ id }) => id),
  }),
  ...draft.people
    .filter((person) => person.id !== draft.authorId && person.wants_notifications)
    .map((person) =>
      recipientAddressed({
        recipientId: person.id,
        reason: 'mention',
        actorId: draft.authorId,
        statusId: draft.id,
        relation: {
          recipientFollowsActor: person.follows_author,
          actorFollowsRecipient: person.is_followed,
          isPrivateMention: draft.visibility === Visibility.DIRECT,
          isActorLimited: false,
          actorCreatedAtMilliseconds: draft.authorCreatedAt.getTime(),
        },
      }),
    ),
]

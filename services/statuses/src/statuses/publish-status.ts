import { createHash } from 'node:crypto'
import { type PublishRequest, type StatusPage, Visibility } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import type { EmojiFinder } from '../emojis/index.ts'
import { assemblePoll, pollFaults } from '../polls/index.ts'
import { localMentions } from '../text/index.ts'
import { assembleAccount, assembleStatus, type StatusEntry, type Views } from '../views/index.ts'
import { type AttachmentClaims, storedAttachment } from './attachment-claims.ts'
import { type Draft, draftOf, factsOf, rowOf, type Settled, settle } from './draft.rules.ts'
import { insertStatus, prepare, releaseId, reserveId } from './publish-status.store.ts'
import { textFaults, wording } from './status.rules.ts'

type Given = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  outbox: Outbox
  ids: Ids
  clock: Clock
  baseUrl: string
}

const HOUR = 3_600_000
const MOST_ATTEMPTS = 5

/** A key as it is kept: of one length however long it was typed, which an index needs. */
const digestOf = (key: string) => (key ? createHash('sha256').update(key).digest('base64url') : null)

/**
 * Publishes a status (spec, POST /api/v1/statuses; beyond-the-spec 1.10). The same Idempotency-Key within an hour answers with the same
 * status, whatever else it says and also when both requests are under way at once: the key reserves the id, so both write the same row.
 * The answer is built from what was written; nothing is read back.
 * @throws Failure invalid for text over the limits or files that cannot be attached, not_found for a parent the author cannot see
 */
export const publishStatus = (given: Given) => {
  const { database, views } = given
  const place = { baseUrl: given.baseUrl, domain: new URL(given.baseUrl).host }

  /** The draft, or the id of what the key made already. */
  const prepareDraft = async (request: PublishRequest, key: string | null): Promise<Draft | string> => {
    const words = wording(request)
    const faults = faultsOf(request, words)
    const usernames = faults.length > 0 ? [] : localMentions(words.text, place.domain)
    const now = given.clock.now()
    const values = [request.authorId, request.inReplyToId || null, usernames, new Date(now), key, new Date(now - HOUR)]
    const prepared = orNotFound((await prepare(database, values))[0])
    const [madeByKey, parent] = prepared
    if (madeByKey) return madeByKey
    if (faults.length > 0) throw invalid(...faults)
    // A poll leaves no room for files (beyond-the-spec 1.10); upstream says it so.
    if (request.poll && request.mediaIds.length > 0) throw new Failure('invalid', 'Cannot attach more than 4 files')
    if (request.inReplyToId && !parent?.may_see) {
      throw new Failure('not_found', 'The post you are trying to reply to does not appear to exist.')
    }
    const emojis = await given.findEmojis([words.spoilerText, words.text, ...(request.poll?.options ?? [])])
    return draftOf(request, prepared, { ...place, emojis, now })
  }

  /** A new id, or the one that another request with the key writes to. */
  const reserve = async ({ authorId }: PublishRequest, key: string | null): Promise<string> => {
    const id = given.ids.next()
    if (!key) return id
    const now = given.clock.now()
    const [row] = await reserveId(database, [authorId, key, id, new Date(now), new Date(now - HOUR)])
    return row![0]
  }

  /** Forgets a reservation that came to nothing, so that a later request gets an id of its own time. */
  const release = async ({ authorId }: PublishRequest, key: string | null, id: string) => {
    if (key) await releaseId(database, [authorId, key, id])
  }

  const existing = async (id: string, authorId: string): Promise<StatusPage | undefined> => {
    const page = await views.byIds(authorId, [id], 'direct')
    return page.statuses[0]?.accountId === authorId ? page : undefined
  }

  const claimFiles = async (call: Call, request: PublishRequest, key: string | null, id: string) => {
    const claim = { ownerId: request.authorId, ids: request.mediaIds, subjectId: id }
    const attachments = await given.claims(call, claim).catch(async (error) => {
      await release(request, key, id)
      throw error
    })
    return attachments.map(storedAttachment)
  }

  /** One try; undefined when what has the id is gone meanwhile, or another author's: two processes made the same id. */
  const attempt = async (call: Call, request: PublishRequest, key: string | null): Promise<StatusPage | undefined> => {
    const draft = await prepareDraft(request, key)
    if (typeof draft === 'string') return existing(draft, request.authorId)
    const id = await reserve(request, key)
    const status = settle(draft, id, await claimFiles(call, request, key, id))
    const page = (await write(given, call, status)) ?? (await existing(id, request.authorId))
    if (!page) await release(request, key, id)
    return page
  }

  return async (call: Call, request: PublishRequest): Promise<StatusPage> => {
    const key = digestOf(request.idempotencyKey)
    for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
      const page = await attempt(call, request, key)
      if (page) return page
    }
    throw new Failure('conflict', 'Conflict during update, please try again')
  }
}

/** What is wrong with a request, in the contract's words. */
const faultsOf = (request: PublishRequest, words: ReturnType<typeof wording>): string[] => [
  ...textFaults(words, request.mediaIds.length),
  ...(request.poll ? pollFaults(request.poll) : []),
]

/** Writes a status; undefined when its id was there already. */
const write = async ({ database, outbox, views }: Given, call: Call, status: Settled): Promise<StatusPage | undefined> => {
  const facts = factsOf(status).map((fact) => outbox.row(fact, call.trace))
  const [account] = await insertStatus(database, [
    status.id,
    status.authorId,
    status.visibility,
    status.isListed,
    status.isReplyToOther,
    status.attachments.length > 0,
    status.text,
    status.spoilerText,
    status.sensitive,
    status.language,
    status.content,
    status.parent?.id ?? null,
    status.parent?.author_id ?? null,
    status.createdAt,
    status.application?.name ?? null,
    status.application?.website || null,
    JSON.stringify(status.people.map(({ id, username }) => ({ id, username }))),
    status.tags.map(({ name }) => name),
    JSON.stringify(status.attachments),
    status.people.map(({ id }) => id),
    status.tags.map(({ display }) => display),
    facts.map(({ topic }) => topic),
    facts.map(({ key }) => key),
    facts.map(({ envelope }) => envelope),
    status.poll ? new Date(status.poll.expires_at) : null,
    status.poll?.is_multiple ?? false,
    status.poll?.hides_totals ?? false,
    status.poll?.options ?? [],
    status.poll?.votes ?? [],
    JSON.stringify(status.emojis),
  ])
  if (!account) return undefined
  outbox.wake()
  const entry = assembleStatus(rowOf(status))
  const author = assembleAccount(account)
  views.keep({ status: entry, account: author })
  return publishedPage(entry, author, status)
}

/** A status that nobody has reacted to yet, as its author sees it. */
const publishedPage = ({ view, poll: asked }: StatusEntry, author: StatusPage['accounts'][number], status: Settled): StatusPage => {
  const poll = asked ? assemblePoll(asked, status.createdAt.getTime(), { hasVoted: true, choices: [] }) : undefined
  const flags = { favourited: false, reblogged: false, bookmarked: false, muted: status.parent?.is_muted ?? false }
  const pinned = status.visibility === Visibility.DIRECT ? {} : { pinned: false }
  const overlay = { repliesCount: 0, reblogsCount: 0, favouritesCount: 0, flags: { ...flags, ...pinned }, poll }
  return {
    items: [{ id: view.id, overlay, reblogOfId: '', reblogOverlay: undefined }],
    statuses: [view],
    accounts: [author],
    cursors: undefined,
    isRebuilding: false,
  }
}

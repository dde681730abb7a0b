import type { OneAtATime } from '@rookery/batching'
import type { PublishRequest, StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AttachmentReleases } from '../../content/attachments/index.ts'
import { type AttachmentClaims, storedAttachment } from '../../content/attachments/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { inAttempts } from './attempts.ts'
import { digestOf, keyReservations } from './idempotency-key-reservations.ts'
import { draftPreparer } from './prepare-draft.ts'
import { publishInOrder, type ReadyPost } from './publish-in-order.ts'
import { isScheduled } from './publish-status.store.ts'

/** The dependencies of posting, immediate or scheduled. */
export type PublishDeps = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  releases: AttachmentReleases
  findEmojis: EmojiFinder
  outbox: Outbox
  ids: Ids
  clock: Clock
  /** Serialises the writes of an author's statuses, so that their ids ascend. */
  inPostingOrder: OneAtATime<string>
  baseUrl: string
}

const MAX_ATTEMPTS = 12
/** Attempts after which a post keeps its id, although its author has published a higher one: a clock was set back. */
const MAX_ORDERED = 8

type Attempt = { key: string | null; isOrdered: boolean }

const NOTHING: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }

/**
 * Publishes a status (spec, POST /api/v1/statuses; beyond-the-spec 1.10). Requests with the same Idempotency-Key within an hour get the same status,
 * whatever their parameters, even if concurrent: the key reserves the id, so that they write the same row. An empty page means that the key scheduled
 * a status. The response is built from the written values; nothing is read back.
 * @throws Failure invalid for text over the limits or files that cannot be attached; not_found for a parent the author cannot see
 */
export const publishStatus = (deps: PublishDeps) => {
  const prepareDraft = draftPreparer(deps)
  const keys = keyReservations(deps)
  const posts = publishInOrder({ ...deps, keys })

  const existing = async (id: string, authorId: string): Promise<StatusPage | undefined> => {
    const page = await deps.views.byIds(authorId, [id], 'direct')
    if (page.statuses[0]?.accountId === authorId) return page
    return (await isScheduled(deps.database, { id, authorId })).length > 0 ? NOTHING : undefined
  }

  const claimFiles = async (call: Call, { authorId, mediaIds }: PublishRequest, key: string | null, id: string) => {
    const attachments = await deps.claims(call, { ownerId: authorId, ids: mediaIds, subjectId: id }).catch(async (error) => {
      await keys.release(authorId, key, id)
      throw error
    })
    return attachments.map(storedAttachment)
  }

  /** Claiming files takes time; the author's other posts do not wait for it. */
  const publishWithFiles = async (call: Call, request: PublishRequest, post: ReadyPost) => {
    const id = await keys.reserve(request.authorId, post.key)
    return posts.publishWithFiles(post, id, await claimFiles(call, request, post.key, id))
  }

  /**
   * One attempt; undefined if the status with the id was deleted meanwhile or is another author's (two processes made the same id), or if the author
   * has meanwhile published a higher id.
   */
  const attempt = async (call: Call, request: PublishRequest, { key, isOrdered }: Attempt): Promise<StatusPage | undefined> => {
    const draft = await prepareDraft(request, { key })
    if (typeof draft === 'string') return existing(draft, request.authorId)
    const post = { draft, key, isOrdered, trace: call.trace }
    const { id, page } = request.mediaIds.length > 0 ? await publishWithFiles(call, request, post) : await posts.publish(post)
    if (page) return page
    const made = await existing(id, request.authorId)
    if (!made) await keys.release(request.authorId, key, id)
    return made
  }

  return async (call: Call, request: PublishRequest): Promise<StatusPage> => {
    const key = digestOf(request.idempotencyKey)
    return inAttempts(MAX_ATTEMPTS, (before) => attempt(call, request, { key, isOrdered: before < MAX_ORDERED }))
  }
}

import { LIMITS } from '@rookery/contracts/limits'
import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { EditStatusRequest, StatusPage } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import { hashtagsIn, renderStatus } from '@rookery/markup'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { allowedQuotePolicy } from '../../audience/index.ts'
import { type AttachmentClaims, mayStandTogether, storedAttachment } from '../../content/attachments/index.ts'
import type { LinkFollower } from '../../content/cards/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { languageCode, mentionsOf, namingOf, readUnusableTags } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { Views } from '../../views/index.ts'
import { pollFaults, storedPoll } from '../polls/index.ts'
import { QuoteWriter, statusQuotingChanged } from '../quotes/index.ts'
import { isSensitive, storedMention, textFaults, wording } from '../statuses/index.ts'
import { isChanged } from './edit.rules.ts'
import { type EditableStatus, type Edited, EditWriter, readMentionables, readOwn } from './edit.store.ts'
import { replaceContent } from './replace-content.ts'

type Deps = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  attachments: Client<AttachmentsDefinition>
  outbox: Outbox
  clock: Clock
  followLink: LinkFollower
  baseUrl: string
}

/** An edit as it may be made, and the files that it adds or describes. */
type Judged = Edited & { fresh: readonly StoredAttachment[] }

const MAX_FILES = LIMITS.statuses.maxMediaAttachments

/**
 * Replaces a status's content: what is left out is removed, but for the language, which stays. The first edit keeps the original as a
 * revision; one that changes nothing makes none (beyond-the-spec 1.10, Edit).
 * @throws Failure not_found for what is not the viewer's own, invalid over the limits or for files that cannot be attached
 */
export const editStatus = (deps: Deps) => {
  const { database, outbox, views } = deps
  const place = { baseUrl: deps.baseUrl, domain: new URL(deps.baseUrl).host }

  /** Of the tags of a text those that staff keep out of new statuses. */
  const unusableOf = async (tags: readonly { name: string }[]): Promise<string[]> =>
    (await readUnusableTags(database, { names: tags.map(({ name }) => name) }))[0]?.names ?? []

  /**
   * The files that the edit adds or describes again. What the status shows already is not claimed again: media may not have heard yet that
   * what it keeps for a scheduled status passed on to this one.
   */
  const freshFiles = async (call: Call, request: EditStatusRequest, { attachments }: EditableStatus): Promise<StoredAttachment[]> => {
    const { id: subjectId, viewerId: ownerId } = request
    const added = request.mediaIds.filter((id) => !attachments.some((shown) => shown.id === id))
    const claimed = await deps.claims(call, { ownerId, ids: added, subjectId })
    const changes = request.attachmentChanges.filter(({ id }) => request.mediaIds.includes(id))
    const changed = await Promise.all(changes.map((change) => deps.attachments.update(call, { ...change, ownerId })))
    return [...claimed, ...changed.flatMap(({ attachment }) => attachment ?? [])].map(storedAttachment)
  }

  const judged = async (call: Call, request: EditStatusRequest, before: EditableStatus): Promise<Judged> => {
    const words = wording(request)
    const faults = [...textFaults(words, request.mediaIds.length), ...(request.poll ? pollFaults(request.poll) : [])]
    if (faults.length > 0) throw invalid(...faults)
    const mediaIds = [...new Set(request.mediaIds)]
    const isPollWithFiles = request.poll !== undefined && mediaIds.length > 0
    if (isPollWithFiles || mediaIds.length > MAX_FILES) throw new Failure('invalid', `Cannot attach more than ${MAX_FILES} files`)
    const now = deps.clock.now()
    const fresh = await freshFiles(call, request, before)
    const attachments = chosen(mediaIds, [...before.attachments, ...fresh])
    if (!mayStandTogether(attachments)) throw new Failure('invalid', 'Cannot attach a video to a post that already contains images')
    const naming = namingOf(words.text, place.domain)
    const found = naming.handles.length > 0 ? await readMentionables(database, naming, request.viewerId) : []
    const people = found.filter((person) => !person.hasBlock)
    const typedTags = hashtagsIn(words.text)
    const unusableTags = typedTags.length > 0 ? await unusableOf(typedTags) : []
    return {
      id: request.id,
      text: words.text,
      spoilerText: words.spoilerText,
      sensitive: isSensitive(request, false),
      language: (request.language ? languageCode(request.language) : undefined) ?? before.language,
      content: renderStatus(words.text, { ...place, mentions: mentionsOf(words.text, people, place.domain), unusableTags }),
      mentions: people.map(storedMention),
      tags: typedTags.filter(({ name }) => !unusableTags.includes(name)),
      attachments,
      fresh,
      poll: request.poll ? storedPoll(request.poll, now) : null,
      emojis: await deps.findEmojis([words.spoilerText, words.text, ...(request.poll?.options ?? [])]),
      at: new Date(now),
    }
  }

  return async (call: Call, request: EditStatusRequest): Promise<StatusPage> => {
    const missing = `status ${request.id} is not ${request.viewerId}'s`
    const found = orNotFound(await readOwn(database.db, request.id, request.viewerId), missing)
    const wanted = await judged(call, request, found)
    await transact(database.db, async (tx) => {
      const showLink = await deps.followLink(tx, found.isQuote ? { ...wanted, text: '' } : wanted)
      const writer = new EditWriter(tx)
      const current = orNotFound(await writer.lock(request.id, request.viewerId), missing)
      const edited = withCurrentFiles(wanted, current)
      const before = undescribed(current, { found, fresh: wanted.fresh })
      const isChangedPolicy =
        request.quotePolicy !== undefined &&
        (await new QuoteWriter(tx).setPolicy(request.id, allowedQuotePolicy(request.quotePolicy, before.visibility)))
      if (!isChanged(before, edited)) {
        if (isChangedPolicy)
          await outbox.append(tx, [statusQuotingChanged({ statusId: request.id, authorId: request.viewerId })], call.trace)
        return
      }
      const change = { before, edited, authorId: request.viewerId, fresh: wanted.fresh, showLink, trace: call.trace }
      await replaceContent({ outbox }, tx, change)
    })
    return views.byIds(request.viewerId, [request.id], 'direct')
  }
}

/** These of the files, in this order; the last that is said of one counts. */
const chosen = (ids: readonly string[], files: readonly StoredAttachment[]): StoredAttachment[] => {
  const byId = new Map(files.map((file) => [file.id, file]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** An edit of what stands there now: a file may have been described since it was read. */
const withCurrentFiles = ({ fresh, ...edited }: Judged, { attachments }: EditableStatus): Edited => {
  const ids = edited.attachments.map(({ id }) => id)
  return { ...edited, attachments: chosen(ids, [...edited.attachments, ...attachments, ...fresh]) }
}

/** What stands there now but for what this very edit said of its files: the event of that may have come first. */
const undescribed = (
  current: EditableStatus,
  { found, fresh }: { found: EditableStatus; fresh: readonly StoredAttachment[] },
): EditableStatus => {
  const described = new Set(fresh.map(({ id }) => id))
  const earlier = found.attachments.filter(({ id }) => described.has(id))
  const ids = current.attachments.map(({ id }) => id)
  return { ...current, attachments: chosen(ids, [...current.attachments, ...earlier]) }
}

import { LIMITS } from '@rookery/contracts/limits'
import type { EditStatusRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure, invalid } from '@rookery/failures'
import { hashtagsIn, renderStatus } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { type AttachmentClaims, storedAttachment } from '../../content/attachments/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { languageCode, mentionsOf, namingOf, readUnusableTags } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { pollFaults, storedPoll } from '../polls/index.ts'
import { isSensitive, storedMention, textFaults, wording } from '../statuses/index.ts'
import { type EditableStatus, type Edited, readMentionables } from './edit.store.ts'

/** The dependencies of validating an edit. */
export type EditJudging = {
  database: Database<StatusesTables>
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  clock: Clock
  baseUrl: string
}

/** A valid edit, and the files that it adds or describes; its time is that of its turn. */
export type JudgedEdit = Omit<Edited, 'at'> & { fresh: readonly StoredAttachment[] }

const MAX_FILES = LIMITS.statuses.maxMediaAttachments

/** The files of these ids, in this order; the last of several copies of a file counts. */
export const chosen = (ids: readonly string[], files: readonly StoredAttachment[]): StoredAttachment[] => {
  const byId = new Map(files.map((file) => [file.id, file]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** @throws Failure invalid over the limits, in the contract's words */
const refuseFaults = (
  request: EditStatusRequest,
  { words, mediaIds, isQuote }: { words: ReturnType<typeof wording>; mediaIds: readonly string[]; isQuote: boolean },
) => {
  const faults = [...textFaults(words, mediaIds.length > 0 || isQuote), ...(request.poll ? pollFaults(request.poll) : [])]
  if (faults.length > 0) throw invalid(...faults)
  const isPollWithFiles = request.poll !== undefined && mediaIds.length > 0
  if (isPollWithFiles || mediaIds.length > MAX_FILES) throw new Failure('invalid', `Cannot attach more than ${MAX_FILES} files`)
}

/**
 * Validates an edit by the rules of posting, and claims the files it adds.
 * @throws Failure invalid over the limits or for files that cannot be attached
 */
export const judgeEdit = (deps: EditJudging) => {
  const { database } = deps
  const place = { baseUrl: deps.baseUrl, domain: new URL(deps.baseUrl).host }

  /** The tags in a text that staff disabled for new statuses. */
  const unusableOf = async (tags: readonly { name: string }[]): Promise<string[]> =>
    (await readUnusableTags(database, { names: tags.map(({ name }) => name) }))[0]?.names ?? []

  /**
   * The files that the edit adds or describes; this is the last that can be refused, since it ties the files to the status. Files already
   * attached are not claimed again: media may not have handled yet that the files of a scheduled status now belong to this one.
   */
  const freshFiles = async (call: Call, request: EditStatusRequest, { attachments }: EditableStatus): Promise<StoredAttachment[]> => {
    const { id: subjectId, viewerId: ownerId } = request
    const changes = request.attachmentChanges.filter(({ id }) => request.mediaIds.includes(id))
    const kept = attachments.filter(({ id }) => request.mediaIds.includes(id))
    const added = request.mediaIds.filter((id) => !kept.some((shown) => shown.id === id))
    const fresh = await deps.claims(call, { ownerId, ids: added, subjectId, typesBeside: kept.map(({ type }) => type), changes })
    return fresh.map(storedAttachment)
  }

  return async (call: Call, request: EditStatusRequest, before: EditableStatus): Promise<JudgedEdit> => {
    const { isQuote } = before
    const words = wording(request, isQuote)
    const mediaIds = [...new Set(request.mediaIds)]
    refuseFaults(request, { words, mediaIds, isQuote })
    const fresh = await freshFiles(call, request, before)
    const attachments = chosen(mediaIds, [...before.attachments, ...fresh])
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
      poll: request.poll ? storedPoll(request.poll, deps.clock.now()) : null,
      emojis: await deps.findEmojis([words.spoilerText, words.text, ...(request.poll?.options ?? [])]),
    }
  }
}

import { LIMITS } from '@rookery/contracts/limits'
import type { AttachmentChange } from '@rookery/contracts/statuses'
import { customEmojiEntity, mediaAttachmentEntity, rejectedAttachmentEntity, timestamp } from '@rookery/entities'
import { isId } from '@rookery/ids'
import type { Partially } from '@rookery/rpc'
import { SingleStatus, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, hash, hashList, text, textList } from '../http/fields.ts'
import { resolveMentions } from '../resolve-mentions.ts'
import { isSensitive } from '../status-body.ts'
import { pollDraft } from './poll-draft.ts'
import { quotePolicyOf } from './quotes.ts'
import { recordId, statusReply } from './replies.ts'
import { mediaIds } from './statuses.ts'
import { focusOf, uploadThumbnail } from './upload.ts'

const changeInput = form({ id: text(), description: text(), focus: text(), thumbnail: text() })

/** media_attributes[][id,description,focus,thumbnail]: changes of files, the last for each; entries without an id are ignored. */
const attachmentChanges = (hashes: Record<string, unknown>[] | undefined) => {
  const changes = (hashes ?? []).flatMap((hash) => {
    const { id, focus, ...rest } = changeInput.parse(hash)
    return id && isId(id) ? [{ ...rest, id, focus: focusOf(focus) }] : []
  })
  return new Map(changes.map((change) => [change.id, change])).values()
}

const THUMBNAIL = 'media_attributes[][thumbnail]'

export const editStatus = endpoint({
  method: 'PUT',
  path: '/api/v1/statuses/:id',
  access: User('write:statuses'),
  summary: "Edits one's own status; earlier versions stay in its history.",
  input: form({
    status: text(),
    spoiler_text: text(),
    sensitive: flag(),
    language: text(),
    media_ids: textList(),
    media_attributes: hashList(),
    poll: hash(),
    quote_approval_policy: text(),
  }),
  files: Array.from({ length: LIMITS.statuses.maxMediaAttachments }, () => THUMBNAIL),
  handle: async ({ call, params, input, files, viewerId }, clients) => {
    const attached = mediaIds(input.media_ids)
    const changes: Partially<AttachmentChange>[] = []
    for (const { thumbnail, ...change } of attachmentChanges(input.media_attributes)) {
      const file = attached.includes(change.id) ? files.get(thumbnail ?? '') : undefined
      const thumbnailId = await uploadThumbnail(call, { file, ownerId: viewerId, of: change.id }, clients)
      changes.push({ ...change, thumbnailId })
    }
    await resolveMentions(call, { text: input.status ?? '', viewerId }, clients)
    const page = await clients.edits.edit(call, {
      id: recordId(params),
      viewerId,
      text: input.status ?? '',
      spoilerText: input.spoiler_text ?? '',
      sensitive: input.sensitive,
      language: input.language,
      mediaIds: attached,
      attachmentChanges: changes,
      poll: pollDraft(input.poll),
      quotePolicy: quotePolicyOf(input.quote_approval_policy),
    })
    return statusReply(page, clients)
  },
})

export const readSource = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/source',
  access: User('read:statuses'),
  summary: 'The plain text behind a status, for editing.',
  handle: async ({ call, params, viewerId }, { edits }) => {
    const source = await edits.readSource(call, { id: recordId(params), viewerId })
    return { id: source.id, text: source.text, spoiler_text: source.spoilerText }
  },
})

export const readHistory = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/history',
  access: SingleStatus,
  summary: 'The edit history of a status, oldest first.',
  handle: async ({ call, params, viewerId }, clients) => {
    const request = { id: recordId(params), viewerId }
    const [{ revisions, account }, page] = await Promise.all([
      clients.edits.readHistory(call, request),
      clients.statuses.read(call, request),
    ])
    const author = account ? JSON.parse(clients.render.account(account).toString()) : null
    // Versions are stored without a quote, which no app changes by an edit.
    const { quote } = JSON.parse(statusReply(page, clients).toString())
    return revisions.map((revision) => ({
      content: revision.content,
      spoiler_text: revision.spoilerText,
      sensitive: isSensitive(revision, account),
      created_at: timestamp(revision.createdAtMilliseconds),
      account: author,
      media_attachments: revision.attachments.map((each) =>
        account?.rejectsMedia ? rejectedAttachmentEntity(each) : mediaAttachmentEntity(each),
      ),
      emojis: account?.rejectsMedia ? [] : revision.emojis.map(customEmojiEntity),
      ...(revision.pollOptions.length > 0 ? { poll: { options: revision.pollOptions.map((title) => ({ title })) } } : {}),
      ...(quote && { quote }),
    }))
  },
})

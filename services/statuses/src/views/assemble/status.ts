import { ownBytes } from '@rookery/cache'
import { type Attachment, StatusBody, type StatusView, type Visibility } from '@rookery/contracts/statuses'
import { cardMessage } from '../../content/cards/index.ts'
import { emojiMessage, emojisIn } from '../../content/emojis/index.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { StatusRow } from '../status-body.store.ts'
import type { ShownPoll } from './poll.ts'

/** The display copy of a file as pages carry it. */
export const assembleAttachment = (stored: StoredAttachment): Attachment => ({
  id: stored.id,
  type: stored.type,
  url: stored.url,
  previewUrl: stored.preview_url,
  description: stored.description,
  blurhash: stored.blurhash,
  focus: stored.focus,
  original: stored.original,
  small: stored.small,
})

/** A status as every viewer sees it, with its poll apart: that changes by time alone and is put on the page as it stands then. */
export type StatusEntry = { readonly id: string; readonly version: number; readonly view: StatusView; readonly poll: ShownPoll | null }

/** A status as every viewer sees it, encoded once for all of them. */
export const assembleStatus = (row: StatusRow): StatusEntry => {
  const [id, version, accountId, username, visibility, reblogOfId, spoilerText, sensitive, language, content, ...rest] = row
  const [
    inReplyToId,
    inReplyToAccountId,
    createdAt,
    editedAt,
    applicationName,
    applicationWebsite,
    mentions,
    tags,
    attachments,
    ...latest
  ] = rest
  const [poll, emojis, card] = latest
  const body: StatusBody = {
    id,
    createdAtMilliseconds: createdAt.getTime(),
    inReplyToId: inReplyToId ?? undefined,
    inReplyToAccountId: inReplyToAccountId ?? undefined,
    sensitive,
    spoilerText,
    visibility: visibility as Visibility,
    language: language ?? undefined,
    username,
    accountId,
    editedAtMilliseconds: editedAt?.getTime(),
    content,
    reblogOfId: reblogOfId ?? '',
    application: applicationName === null ? undefined : { name: applicationName, website: applicationWebsite ?? '' },
    attachments: attachments.map(assembleAttachment),
    mentions: mentions.map((mention) => ({ accountId: mention.id, username: mention.username })),
    tags: tags.map((name) => ({ name })),
    emojis: emojis.map(emojiMessage),
    card: card ? cardMessage(card) : undefined,
  }
  const view = { id, version, accountId, body: ownBytes(StatusBody.encode(body).finish()) }
  return { id, version, view, poll: poll && { ...poll, emojis: emojisIn(poll.options, body.emojis) } }
}

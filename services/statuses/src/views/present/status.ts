import { ownBytes } from '@rookery/cache'
import { type Attachment, StatusBody, type StatusView, type Visibility } from '@rookery/contracts/statuses'
import { cardMessage } from '../../content/cards/index.ts'
import { emojiMessage, emojisIn } from '../../content/emojis/index.ts'
import type { CardCreator } from '../../database/tables/card.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { StatusRow } from '../status-body.store.ts'
import { originOf } from './origin.ts'
import type { ShownPoll } from './poll.ts'

/** A display copy as a message. */
export const presentAttachment = (stored: StoredAttachment): Attachment => ({
  id: stored.id,
  type: stored.type,
  url: stored.url,
  previewUrl: stored.preview_url,
  description: stored.description,
  blurhash: stored.blurhash,
  focus: stored.focus,
  original: stored.original,
  small: stored.small,
  bytes: stored.bytes,
  motion: stored.motion,
  remoteUrl: stored.remote_url,
  previewRemoteUrl: stored.preview_remote_url,
})

/** A presented status, the same for every viewer. Its poll is separate: it changes with time, and is presented with each page. */
export type StatusEntry = {
  readonly id: string
  readonly version: number
  readonly view: StatusView
  readonly poll: ShownPoll | null
  /** The author that its card names. */
  readonly creator?: CardCreator | undefined
}

/** Presents a status for every viewer, encoded once. */
export const presentStatus = (row: StatusRow): StatusEntry => {
  const { id, version, accountId, applicationName, poll, card } = row
  const body: StatusBody = {
    id,
    createdAtMilliseconds: row.createdAt.getTime(),
    inReplyToId: row.inReplyToId ?? undefined,
    inReplyToAccountId: row.inReplyToAccountId ?? undefined,
    sensitive: row.sensitive,
    spoilerText: row.spoilerText,
    visibility: row.visibility as Visibility,
    language: row.language ?? undefined,
    username: row.username,
    accountId,
    editedAtMilliseconds: row.editedAt?.getTime(),
    content: row.content,
    reblogOfId: row.reblogOfId ?? '',
    application: applicationName === null ? undefined : { name: applicationName, website: row.applicationWebsite ?? '' },
    attachments: row.attachments.map(presentAttachment),
    mentions: row.mentions.map(({ id, username, origin }) => ({ accountId: id, username, origin })),
    tags: row.tags.map((name) => ({ name })),
    emojis: row.emojis.map(emojiMessage),
    card: card ? cardMessage(card) : undefined,
    origin: originOf(row),
  }
  const view = { id, version, accountId, body: ownBytes(StatusBody.encode(body).finish()) }
  return { id, version, view, poll: poll && { ...poll, emojis: emojisIn(poll.options, body.emojis) }, creator: card?.creator }
}

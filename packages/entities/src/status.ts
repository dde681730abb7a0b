import { type StatusBody, Visibility } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'
import { customEmojiEntity } from './custom-emoji.ts'
import { mediaAttachmentEntity, rejectedAttachmentEntity } from './media-attachment.ts'
import { mentionEntity } from './mention.ts'
import { previewCardEntity } from './preview-card.ts'
import { timestamp } from './timestamp.ts'

/** The API's word for each visibility. */
export const VISIBILITY_NAMES = {
  [Visibility.PUBLIC]: 'public',
  [Visibility.UNLISTED]: 'unlisted',
  [Visibility.PRIVATE]: 'private',
  [Visibility.DIRECT]: 'direct',
  [Visibility.UNSPECIFIED]: 'direct',
} as const

/** The uri and the url of a status. */
export const statusPlace = ({ origin, reblogOfId, username, id }: StatusBody, urls: Addresses) => {
  if (origin) return { uri: origin.uri, url: origin.url }
  if (reblogOfId) return { uri: urls.boost(username, id), url: urls.boost(username, id) }
  return { uri: urls.statusUri(username, id), url: urls.status(username, id) }
}

/**
 * The part of a Status that is the same for every viewer: all but account, reblog, quote, poll, counts and flags (spec, Resources;
 * beyond-the-spec 1.1).
 */
export const statusBodyEntity = (status: StatusBody, urls: Addresses, { rejectsMedia = false } = {}) => ({
  id: status.id,
  created_at: timestamp(status.createdAtMilliseconds),
  in_reply_to_id: status.inReplyToId ?? null,
  in_reply_to_account_id: status.inReplyToAccountId ?? null,
  sensitive: status.sensitive,
  spoiler_text: status.spoilerText,
  visibility: VISIBILITY_NAMES[status.visibility],
  language: status.language ?? null,
  ...statusPlace(status, urls),
  edited_at: status.editedAtMilliseconds === undefined ? null : timestamp(status.editedAtMilliseconds),
  content: status.content,
  application: status.application ? { name: status.application.name, website: status.application.website || null } : null,
  media_attachments: status.attachments.map((each) => (rejectsMedia ? rejectedAttachmentEntity(each) : mediaAttachmentEntity(each))),
  mentions: status.mentions.map((mention) => mentionEntity(mention, urls)),
  tags: status.tags.map(({ name }) => ({ name, url: urls.tag(name) })),
  emojis: rejectsMedia ? [] : status.emojis.map(customEmojiEntity),
  card: status.card ? previewCardEntity(status.card) : null,
})

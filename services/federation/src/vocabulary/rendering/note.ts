import { type Attachment, type OutgoingMention, type OutgoingStatus, type Poll, Visibility } from '@rookery/contracts/statuses'
import { PUBLIC } from '../reading/audience.ts'
import type { JsonObject } from '../reading/json.ts'
import { emojiTag, time } from './actor.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Places } from './places.ts'
import { contentWithQuote, quotingPart } from './quote.ts'

const OTHERWISE = new Map([
  ['image', 'image/jpeg'],
  ['gifv', 'video/mp4'],
  ['video', 'video/mp4'],
  ['audio', 'audio/mpeg'],
])

const attachmentOf = ({ type, url, description, blurhash, focus, original, previewUrl }: Attachment): JsonObject => ({
  type: 'Document',
  mediaType: mediaTypeOf(url, OTHERWISE.get(type) ?? 'application/octet-stream'),
  url,
  name: description || null,
  ...(blurhash ? { blurhash } : {}),
  ...(focus ? { focalPoint: [focus.x, focus.y] } : {}),
  ...(original ? { width: original.width, height: original.height } : {}),
  ...(type !== 'image' && previewUrl ? { icon: { type: 'Image', mediaType: mediaTypeOf(previewUrl, 'image/jpeg'), url: previewUrl } } : {}),
})

/** Mentions include the domain even for local accounts: other servers would take a bare name for one of their own. */
const mentionTag = ({ uri, acct }: OutgoingMention, at: Places): JsonObject => ({
  type: 'Mention',
  href: uri,
  name: `@${acct.includes('@') ? acct : `${acct}@${at.host}`}`,
})

/** A hashtag, linked to its local page. */
export const hashtag = (name: string, at: Places): JsonObject => ({ type: 'Hashtag', href: at.tag(name), name: `#${name}` })

const pollOf = (poll: Poll): JsonObject => {
  const options = poll.options.map(({ title, votesCount }) => ({
    type: 'Note',
    name: title,
    replies: { type: 'Collection', totalItems: votesCount ?? 0 },
  }))
  const end = poll.expiresAtMilliseconds === undefined ? undefined : time(poll.expiresAtMilliseconds)
  return {
    [poll.isMultiple ? 'anyOf' : 'oneOf']: options,
    votersCount: poll.votersCount,
    ...(end ? { endTime: end } : {}),
    ...(end && poll.isExpired ? { closed: end } : {}),
  }
}

/** The recipients of a status. */
export const addressing = (status: OutgoingStatus, at: Places): { to: string[]; cc: string[] } => {
  const followers = at.followers(status.authorUsername)
  const mentioned = status.mentions.map(({ uri }) => uri)
  switch (status.visibility) {
    case Visibility.PUBLIC:
      return { to: [PUBLIC], cc: [followers, ...mentioned] }
    case Visibility.UNLISTED:
      return { to: [followers], cc: [PUBLIC, ...mentioned] }
    case Visibility.PRIVATE:
      return { to: [followers], cc: mentioned }
    default:
      return { to: mentioned, cc: [] }
  }
}

/** A collection with its size only. */
export const renderCount = (id: string, totalItems: number): JsonObject => ({ id, type: 'Collection', totalItems })

const collectionOf = (id: string): JsonObject => ({
  id,
  type: 'Collection',
  first: { type: 'CollectionPage', next: `${id}?page=true`, partOf: id, items: [] },
})

/** Renders a local status as a Note, or as a Question if it has a poll. */
export const renderNote = (status: OutgoingStatus, at: Places): JsonObject => {
  const { uri, language } = status
  const content = contentWithQuote(status)
  const emojis = [...new Map([...status.emojis, ...(status.poll?.emojis ?? [])].map((emoji) => [emoji.shortcode, emoji])).values()]
  return {
    id: uri,
    type: status.poll ? 'Question' : 'Note',
    attributedTo: at.actor(status.authorUsername),
    ...addressing(status, at),
    url: at.statusPage(status.authorUsername, status.id),
    published: time(status.publishedAtMilliseconds),
    ...(status.editedAtMilliseconds === undefined ? {} : { updated: time(status.editedAtMilliseconds) }),
    inReplyTo: status.inReplyToUri || null,
    summary: status.spoilerText || null,
    sensitive: status.sensitive,
    content,
    ...(language ? { contentMap: { [language]: content } } : {}),
    attachment: status.attachments.map(attachmentOf),
    tag: [
      ...status.mentions.map((mention) => mentionTag(mention, at)),
      ...status.tags.map((tag) => hashtag(tag, at)),
      ...emojis.map(emojiTag),
    ],
    replies: collectionOf(`${uri}/replies`),
    likes: renderCount(`${uri}/likes`, status.favouritesCount),
    shares: renderCount(`${uri}/shares`, status.reblogsCount),
    ...(status.poll ? pollOf(status.poll) : {}),
    ...quotingPart(status, at),
  }
}

/** The object that replaces a deleted status. */
export const renderTombstone = (uri: string): JsonObject => ({ id: uri, type: 'Tombstone' })

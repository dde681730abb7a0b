import type { CustomEmoji, RemoteAttachment, RemotePoll } from '@rookery/contracts/statuses'
import { plainText, sanitiseRemote } from '@rookery/markup'
import { pageOf } from './actor.ts'
import { attachmentsOf, ownFile, pictureAttachments } from './attachments.ts'
import { type Recipients, recipientsOf } from './audience.ts'
import { type CollectionDocument, readCollection } from './collection.ts'
import { contentOf } from './content.ts'
import { emojisOf } from './emojis.ts'
import { hashtagsAmong } from './hashtags.ts'
import {
  firstUri,
  isObject,
  isOfType,
  isTrue,
  itemsOf,
  type JsonObject,
  languageOf,
  linkOf,
  mappedText,
  objectsOf,
  textOf,
  timeOf,
  totalOf,
  typeAmong,
  typesOf,
  uriOf,
  urisOf,
} from './json.ts'
import { pollOf } from './poll.ts'
import { type Quoting, quotersOf, quotingOf } from './quote.ts'

const MAX_SUMMARY = 5000
const MAX_TITLE = 500
const MAX_TAGS = 64
const MAX_FILES = 16
/** Maximum mentions; the API shows all of them. */
const MAX_MENTIONS = 100

/** Includes the types that BookWyrm sends to its own kind of servers. */
const OBJECT_TYPES = new Set([
  'Note',
  'Question',
  'Article',
  'Page',
  'Video',
  'Image',
  'Audio',
  'Event',
  'ChatMessage',
  'Review',
  'Comment',
  'Quotation',
] as const)
/** Types that need no title: their summary is a content warning. */
const PLAIN = new Set<ObjectType>(['Note', 'Question', 'ChatMessage', 'Comment', 'Quotation'])
type ObjectType = typeof OBJECT_TYPES extends ReadonlySet<infer Type> ? Type : never

/** A mention in a text. */
type MentionTag = { readonly uri: string; readonly name: string }

/** An object that becomes a status. */
export type ObjectDocument = {
  readonly uri: string
  readonly type: ObjectType
  /** The page for browsers; empty if there is none. */
  readonly url: string
  /** The authors; a video of PeerTube has an account and a channel. */
  readonly authors: readonly string[]
  readonly recipients: Recipients
  readonly contentHtml: string
  readonly spoilerText: string
  /** The title; of a vote in a poll, the option. */
  readonly name: string
  readonly hasContent: boolean
  readonly sensitive: boolean
  readonly language: string | undefined
  /** Empty if there is none, like all uris below. */
  readonly inReplyTo: string
  readonly publishedAt: number | undefined
  readonly editedAt: number | undefined
  readonly attachments: readonly RemoteAttachment[]
  readonly mentions: readonly MentionTag[]
  readonly tags: readonly string[]
  readonly emojis: readonly CustomEmoji[]
  readonly poll: RemotePoll | undefined
  readonly repliesUri: string
  /** The embedded part of its replies. */
  readonly replies: CollectionDocument | undefined
  /** The counts of likes and shares that it claims; undefined if not given. */
  readonly likes: number | undefined
  readonly shares: number | undefined
  /** The actors who may quote it without approval, PUBLIC for everyone; undefined without a policy. */
  readonly quoters: readonly string[] | undefined
} & Quoting

/** Summaries are plain text, but some servers send HTML. */
const spoilerOf = (object: JsonObject): string => {
  const summary = mappedText(object, 'summary', MAX_SUMMARY)
  return (/<[a-z/]/i.test(summary) ? plainText(sanitiseRemote(summary)) : summary).trim()
}

/** Whether the object or one of its files is marked as sensitive. */
const isSensitive = (object: JsonObject): boolean =>
  isTrue(object['sensitive']) || objectsOf(object['attachment'], MAX_FILES).some((file) => isTrue(file['sensitive']))

/** The uri of the status that it replies to: an id, an embedded object, or a link. */
const answeredBy = (object: JsonObject): string =>
  firstUri(object['inReplyTo']) ??
  objectsOf(object['inReplyTo']).flatMap((item) => (isOfType(item, 'Link') ? (linkOf(item) ?? []) : []))[0] ??
  ''

const mentionsOf = (object: JsonObject): MentionTag[] => {
  const found = new Map<string, MentionTag>()
  for (const tag of objectsOf(object['tag'])) {
    if (found.size >= MAX_MENTIONS || !isOfType(tag, 'Mention')) continue
    const uri = linkOf(tag)
    if (uri && !found.has(uri)) found.set(uri, { uri, name: textOf(tag['name'], 320) })
  }
  return [...found.values()]
}

const tagsOf = (object: JsonObject): string[] => hashtagsAmong(objectsOf(object['tag']), MAX_TAGS)

const filesOf = (object: JsonObject, type: ObjectType): readonly RemoteAttachment[] => {
  const attached = attachmentsOf(object)
  if (type === 'Video' || type === 'Audio' || type === 'Image') return [...ownFile(object), ...attached].slice(0, MAX_FILES)
  return attached.length > 0 || PLAIN.has(type) ? attached : pictureAttachments(object)
}

/** Fields of the enclosing activity, used where the object has none. */
type Around = { readonly recipients: Recipients; readonly actor: string }

/** The attributed actors; without attribution, the object's or the activity's actor. */
const authorsOf = (object: JsonObject, around: Around | undefined): readonly string[] => {
  if (itemsOf(object['attributedTo'], 1).length > 0) return urisOf(object['attributedTo'], 16)
  const actors = urisOf(object['actor'], 1)
  return actors.length === 0 && around ? [around.actor] : actors
}

/**
 * Parses an object that becomes a status; undefined for other types. `around` is the enclosing activity. Attribution and origin are as
 * claimed: the caller decides what to trust.
 */
export const readObject = (document: unknown, around?: Around): ObjectDocument | undefined => {
  if (!isObject(document)) return undefined
  const type = typeAmong(document, OBJECT_TYPES)
  const uri = uriOf(document)
  const authors = authorsOf(document, around)
  if (!type || !uri || authors.length === 0) return undefined
  const url = pageOf(document, uri)
  const publishedAt = timeOf(document['published'])
  const updatedAt = timeOf(document['updated'])
  const isPlain = PLAIN.has(type)
  return {
    uri,
    type,
    url,
    authors,
    recipients: recipientsOf(document, around?.recipients),
    contentHtml: contentOf(document, { type, isPlain, url: url || uri }),
    spoilerText: isPlain || isTrue(document['sensitive']) ? spoilerOf(document) : '',
    name: mappedText(document, 'name', MAX_TITLE),
    hasContent: mappedText(document, 'content', 64) !== '',
    sensitive: isSensitive(document),
    language: languageOf(document),
    inReplyTo: answeredBy(document),
    publishedAt,
    editedAt: updatedAt !== undefined && updatedAt > (publishedAt ?? 0) ? updatedAt : undefined,
    attachments: filesOf(document, type),
    mentions: mentionsOf(document),
    tags: tagsOf(document),
    emojis: emojisOf(document),
    poll: type === 'Question' ? pollOf(document) : undefined,
    ...quotingOf(document),
    quoters: quotersOf(document),
    repliesUri: uriOf(document['replies']) ?? '',
    replies: readCollection(document['replies']),
    likes: totalOf(document['likes']),
    shares: totalOf(document['shares']),
  }
}

/** Whether a document is a tombstone. */
export const isTombstone = (document: unknown): boolean => isObject(document) && typesOf(document).includes('Tombstone')

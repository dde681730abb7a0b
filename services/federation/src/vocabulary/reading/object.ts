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
/** Named in tags; the API shows them all. */
const MAX_MENTIONS = 100

/** Those of BookWyrm, which it sends to servers of its own kind, are among them. */
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
/** What has a title begins with it: notes need none, and their summary is a warning. */
const PLAIN = new Set<ObjectType>(['Note', 'Question', 'ChatMessage', 'Comment', 'Quotation'])
type ObjectType = typeof OBJECT_TYPES extends ReadonlySet<infer Type> ? Type : never

/** A person as a text names them. */
type MentionTag = { readonly uri: string; readonly name: string }

/** What an object says that becomes a status. */
export type ObjectDocument = {
  readonly uri: string
  readonly type: ObjectType
  /** The page for browsers; empty for none. */
  readonly url: string
  /** Who it is by: several for a film of a person and a channel. */
  readonly authors: readonly string[]
  readonly recipients: Recipients
  readonly contentHtml: string
  readonly spoilerText: string
  /** A title; of a vote in a poll the option. */
  readonly name: string
  readonly hasContent: boolean
  readonly sensitive: boolean
  readonly language: string | undefined
  /** Empty for none, as all ids that follow. */
  readonly inReplyTo: string
  readonly publishedAt: number | undefined
  readonly editedAt: number | undefined
  readonly attachments: readonly RemoteAttachment[]
  readonly mentions: readonly MentionTag[]
  readonly tags: readonly string[]
  readonly emojis: readonly CustomEmoji[]
  readonly poll: RemotePoll | undefined
  readonly repliesUri: string
  /** What was sent of its replies. */
  readonly replies: CollectionDocument | undefined
  /** How many it says like and share it; undefined where it does not say. */
  readonly likes: number | undefined
  readonly shares: number | undefined
  /** Who may quote it without being asked first, everyone as PUBLIC; undefined where it does not say. */
  readonly quoters: readonly string[] | undefined
} & Quoting

/** Summaries are plain text, but some servers send HTML. */
const spoilerOf = (object: JsonObject): string => {
  const summary = mappedText(object, 'summary', MAX_SUMMARY)
  return (/<[a-z/]/i.test(summary) ? plainText(sanitiseRemote(summary)) : summary).trim()
}

/** Whether it, or a file of it, is to be shown behind a warning. */
const isSensitive = (object: JsonObject): boolean =>
  isTrue(object['sensitive']) || objectsOf(object['attachment'], MAX_FILES).some((file) => isTrue(file['sensitive']))

/** What it answers: by id, embedded, or by a link. */
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

/** What an activity says that holds an object, for what the object leaves out. */
type Around = { readonly recipients: Recipients; readonly actor: string }

/** Whom an object is attributed to; where it does not say, who sends it. */
const authorsOf = (object: JsonObject, around: Around | undefined): readonly string[] => {
  if (itemsOf(object['attributedTo'], 1).length > 0) return urisOf(object['attributedTo'], 16)
  const actors = urisOf(object['actor'], 1)
  return actors.length === 0 && around ? [around.actor] : actors
}

/**
 * Reads an object that becomes a status; undefined for what is none. `around` is the activity that holds it. Attribution and origin are as
 * claimed: whom to believe the caller decides.
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

/** Whether a document says that something is gone. */
export const isTombstone = (document: unknown): boolean => isObject(document) && typesOf(document).includes('Tombstone')

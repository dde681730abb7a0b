import { QuotePolicy, type RemoteStatus } from '@rookery/contracts/statuses'
import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { type ObjectDocument, PUBLIC, visibilityOf } from '../../vocabulary/index.ts'

/** Results of looking up the ids that an object refers to. */
export type Resolved = {
  readonly inReplyToId: string
  readonly mentionedAccountIds: readonly string[]
  readonly quotedStatusId: string
  /** The uri of the verified approval of the quote. */
  readonly quoteAuthorizationUri: string
  readonly isFetched: boolean
  readonly now: number
}

/** Whether an object may be accepted as this actor's: it is on the actor's server and names the actor as an author. */
export const isBy = (object: ObjectDocument, actorUri: string): boolean =>
  isSameHost(object.uri, actorUri) && object.authors.includes(actorUri)

/** The first author on the object's own server. */
export const authorOf = (object: ObjectDocument): string | undefined => object.authors.find((uri) => isSameHost(uri, object.uri))

/** A vote in a poll: a Note with a name, no content, and the poll as inReplyTo. */
export const isVote = (object: ObjectDocument): boolean =>
  object.type === 'Note' && object.name !== '' && !object.hasContent && object.inReplyTo !== ''

/**
 * The publication time of a status, in milliseconds since 1970. Times in the future become `now`, so that the status does not stay above
 * newer ones.
 */
export const publishedAt = (object: ObjectDocument, now: number): number => Math.min(object.publishedAt ?? now, now)

/** The quote policy of a status in the API's terms. Policies that require the author's approval of each quote become NOBODY. */
export const quotePolicyOf = (quoters: readonly string[] | undefined, followersUri: string): QuotePolicy => {
  if (!quoters) return QuotePolicy.UNSPECIFIED
  if (quoters.includes(PUBLIC)) return QuotePolicy.PUBLIC
  return followersUri && quoters.includes(followersUri) ? QuotePolicy.FOLLOWERS : QuotePolicy.NOBODY
}

const QUOTE_INLINE = /<(p|span) class="quote-inline">/i
const END_OF: { readonly [name: string]: RegExp } = { p: /<\/p>/i, span: /<\/span>/i }
/** Maximum length of the inline quote, in characters. */
const MAX_INLINE = 5000

/**
 * Removes the link to the quoted status meant for servers without quotes: a paragraph of Mastodon, or part of one of Misskey and Pleroma.
 */
const withoutInlineQuote = (html: string): string => {
  const opening = QUOTE_INLINE.exec(html)
  if (!opening) return html
  const { 0: tag, 1: name = '', index } = opening
  const rest = html.slice(index, index + tag.length + MAX_INLINE)
  const closing = END_OF[name.toLowerCase()]?.exec(rest)
  return closing ? html.slice(0, index) + html.slice(index + closing.index + closing[0].length) : html
}

/** A remote object as a status to store. */
export const statusOf = (object: ObjectDocument, author: RemoteActor, resolved: Resolved): RemoteStatus => {
  const { now } = resolved
  const published = publishedAt(object, now)
  return {
    uri: object.uri,
    url: object.url,
    authorId: author.accountId,
    visibility: visibilityOf(object.recipients, author.followersUri),
    contentHtml: resolved.quotedStatusId ? withoutInlineQuote(object.contentHtml) : object.contentHtml,
    spoilerText: object.spoilerText,
    sensitive: object.sensitive,
    language: object.language,
    inReplyToId: resolved.inReplyToId,
    inReplyToUri: object.inReplyTo,
    publishedAtMilliseconds: published,
    editedAtMilliseconds: object.editedAt === undefined ? undefined : Math.min(object.editedAt, Math.max(now, published)),
    attachments: [...object.attachments],
    mentionedAccountIds: [...resolved.mentionedAccountIds],
    tags: [...object.tags],
    emojis: [...object.emojis],
    poll: object.poll,
    isReplyToUnknown: object.inReplyTo !== '' && resolved.inReplyToId === '',
    quotedStatusId: resolved.quotedStatusId,
    quoteAuthorizationUri: resolved.quoteAuthorizationUri,
    needsQuoteApproval: object.needsQuoteApproval,
    quotePolicy: quotePolicyOf(object.quoters, author.followersUri),
    isFetched: resolved.isFetched,
    favouritesCount: object.likes,
    reblogsCount: object.shares,
  }
}

import { QuotePolicy, type RemoteStatus } from '@rookery/contracts/statuses'
import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { type ObjectDocument, PUBLIC, visibilityOf } from '../../vocabulary/index.ts'

/** What becomes of the ids that an object names, once they were looked up. */
export type Resolved = {
  readonly inReplyToId: string
  readonly mentionedAccountIds: readonly string[]
  readonly quotedStatusId: string
  /** What approves the quote, verified. */
  readonly quoteAuthorizationUri: string
  readonly isFetched: boolean
  readonly now: number
}

/** Whether an object may be taken as this actor's: it is on the actor's server, which says that the actor wrote it. */
export const isBy = (object: ObjectDocument, actorUri: string): boolean =>
  isSameHost(object.uri, actorUri) && object.authors.includes(actorUri)

/** The one of its authors whom an object stands for: on its own server, a person before a group. */
export const authorOf = (object: ObjectDocument): string | undefined => object.authors.find((uri) => isSameHost(uri, object.uri))

/** A vote in a poll: a name without a text, in answer to the poll. */
export const isVote = (object: ObjectDocument): boolean =>
  object.type === 'Note' && object.name !== '' && !object.hasContent && object.inReplyTo !== ''

/** How far before its arrival a status may say it was published, so that it does not come out on top of what was there before. */
export const publishedAt = (object: ObjectDocument, now: number): number => Math.min(object.publishedAt ?? now, now)

/** Who may quote a status, of what the API has a word for. Where its author decides of each quote, no one here may. */
export const quotePolicyOf = (quoters: readonly string[] | undefined, followersUri: string): QuotePolicy => {
  if (!quoters) return QuotePolicy.UNSPECIFIED
  if (quoters.includes(PUBLIC)) return QuotePolicy.PUBLIC
  return followersUri && quoters.includes(followersUri) ? QuotePolicy.FOLLOWERS : QuotePolicy.NOBODY
}

const QUOTE_INLINE = /<(p|span) class="quote-inline">/i
const END_OF: { readonly [name: string]: RegExp } = { p: /<\/p>/i, span: /<\/span>/i }
/** Its length at most. */
const MAX_INLINE = 5000

/** Without what names the quoted status for servers that know no quotes: a paragraph of Mastodon, a piece of one of Misskey and Pleroma. */
const withoutInlineQuote = (html: string): string => {
  const opening = QUOTE_INLINE.exec(html)
  if (!opening) return html
  const { 0: tag, 1: name = '', index } = opening
  const rest = html.slice(index, index + tag.length + MAX_INLINE)
  const closing = END_OF[name.toLowerCase()]?.exec(rest)
  return closing ? html.slice(0, index) + html.slice(index + closing.index + closing[0].length) : html
}

/** An object as a status of this server. */
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

import { createHash } from 'node:crypto'
import type { Attachment } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { type Html, html } from '@rookery/pages'
import { withEmojis } from './emojis.ts'
import type { PageStatus } from './status.ts'

/** A feed of posts (RSS 2.0; Media RSS 1.5.1). */
export type Feed = {
  title: string
  description: string
  /** The URL of the page it is for, and of the feed itself. */
  link: string
  self: string
  image?: string | undefined
  posts: readonly PageStatus[]
  isIndexed: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  m4a: 'audio/mp4',
}
const MEDIUMS: Readonly<Record<string, string>> = { image: 'image', gifv: 'video', video: 'video', audio: 'audio' }

const typeOf = (url: string): string => TYPES[/\.(\w+)(?:\?|$)/.exec(url)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

/** A length of 0 means an unknown size, as of files of other servers (RSS Best Practices Profile, `enclosure`). */
const filePart = ({ type, url, bytes, description }: Attachment, isSensitive: boolean): Html =>
  html`<enclosure url="${url}" length="${String(bytes ?? 0)}" type="${typeOf(url)}"/>
<media:content url="${url}" type="${typeOf(url)}" medium="${MEDIUMS[type] ?? 'document'}"><media:rating scheme="urn:simple">${isSensitive ? 'adult' : 'nonadult'}</media:rating>${description && html`<media:description type="plain">${description}</media:description>`}</media:content>
`

const quotedAddress = ({ status, account }: NonNullable<PageStatus['quoted']>, urls: Addresses) => urls.status(account.username, status.id)

/** A post as HTML for feed readers: with its content warning, the options of its poll and the URL of its quote. */
const contentOf = ({ status, overlay, quoted }: PageStatus, urls: Addresses): string => {
  const { content, emojis, spoilerText } = status
  const warning = spoilerText && html`<p><strong>${spoilerText}</strong></p><hr />`
  const options = overlay.poll?.options.map(({ title }) => html`<li>${title}</li>`)
  return html`${warning}${withEmojis({ html: content }, emojis)}${options && html`<ul>${options}</ul>`}${quoted && html`<p><a href="${quotedAddress(quoted, urls)}">${quotedAddress(quoted, urls)}</a></p>`}`
    .html
}

const itemPart = (said: PageStatus, urls: Addresses): Html => {
  const { status, account } = said
  const address = urls.status(account.username, status.id)
  return html`<item>
<guid isPermaLink="true">${address}</guid>
<link>${address}</link>
<pubDate>${new Date(status.createdAtMilliseconds).toUTCString()}</pubDate>
<description>${contentOf(said, urls)}</description>
${status.attachments.map((attachment) => filePart(attachment, status.sensitive))}${status.tags.map(({ name }) => html`<category>${name}</category>\n`)}</item>
`
}

/** When any of the posts was last written or edited, in milliseconds since 1970; undefined without posts. */
const changedAt = ({ posts }: Feed): number | undefined => {
  const times = posts.map(({ status }) => status.editedAtMilliseconds ?? status.createdAtMilliseconds)
  return times.length > 0 ? Math.max(...times) : undefined
}

/** Characters that XML 1.0 (2.2) does not allow. */
const FOREIGN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The document of a feed with its validators. */
export const renderFeed = (feed: Feed, urls: Addresses): { document: Buffer; tag: string; changed: string | undefined } => {
  const { title, description, link, self, image } = feed
  const at = changedAt(feed)
  const changed = at === undefined ? undefined : new Date(at).toUTCString()
  const body = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${title}</title>
<description>${description}</description>
<link>${link}</link>
<atom:link rel="self" type="application/rss+xml" href="${self}"/>
${image && html`<image><url>${image}</url><title>${title}</title><link>${link}</link></image>\n`}${changed && html`<lastBuildDate>${changed}</lastBuildDate>\n`}<generator>Rookery</generator>
${feed.posts.map((said) => itemPart(said, urls))}</channel>
</rss>
`
  const document = Buffer.from(body.html.toWellFormed().replace(FOREIGN, ''))
  return { document, tag: `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`, changed }
}

/** Whether the reader has this version (RFC 9110, 13.2.2): the ETag counts, and without one the date. */
export const isFresh = (
  headers: { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined },
  { tag, changed }: { tag: string; changed: string | undefined },
): boolean => {
  const tags = headers['if-none-match']
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return changed !== undefined && Date.parse(changed) <= since
}

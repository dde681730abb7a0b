import { normaliseTag } from './hashtags.ts'
import { normaliseLines } from './lines.ts'
import type { Token } from './token.ts'
import { tokenize } from './tokens.ts'
import { displayParts } from './urls.ts'

/**
 * The context of a text: the server's URL and domain, and the mentioned accounts that exist: those of this server by username, those of
 * others by username@domain as typed, with the URL of their profile; keys in lower case.
 */
export type Place = {
  baseUrl: string
  domain: string
  mentions: ReadonlyMap<string, { username: string; url?: string }>
  /** Names of hashtags that stay plain text. */
  unusableTags?: readonly string[]
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character)

const linkTo = (url: string, rel: string): string => {
  const { prefix, visible, rest, isCut } = displayParts(url)
  const spans = [
    `<span class="invisible">${escapeHtml(prefix)}</span>`,
    `<span class="${isCut ? 'ellipsis' : ''}">${escapeHtml(visible)}</span>`,
    `<span class="invisible">${escapeHtml(rest)}</span>`,
  ].join('')
  return `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">${spans}</a>`
}

const mentionOf = (token: Token & { kind: 'mention' }, place: Place): string | undefined => {
  const isElsewhere = token.domain !== undefined && token.domain.toLowerCase() !== place.domain.toLowerCase()
  const handle = isElsewhere ? `${token.username}@${token.domain}` : token.username
  const account = place.mentions.get(handle.toLowerCase())
  if (!account) return undefined
  const username = escapeHtml(account.username)
  const href = escapeHtml(account.url ?? `${place.baseUrl}/@${account.username}`)
  return `<span class="h-card" translate="no"><a href="${href}" class="u-url mention">@<span>${username}</span></a></span>`
}

/** A hashtag as typed; its URL, by which clients recognise it, is that of its name, except for the case of ASCII letters. */
const hashtagOf = (typed: string, name: string, place: Place): string => {
  const href = `${place.baseUrl}/tags/${/^\w+$/.test(typed) ? typed : encodeURIComponent(name)}`
  return `<a href="${escapeHtml(href)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(typed)}</span></a>`
}

/** The text as HTML of spans and links, line feeds included. */
const renderInline = (text: string, place: Place, rel: string): string =>
  tokenize(text)
    .map((token) => {
      const typed = text.slice(token.start, token.end)
      if (token.kind === 'url') return linkTo(token.url, rel)
      const name = token.kind === 'hashtag' ? normaliseTag(token.name) : undefined
      if (name !== undefined && token.kind === 'hashtag' && !place.unusableTags?.includes(name)) return hashtagOf(token.name, name, place)
      return (token.kind === 'mention' ? mentionOf(token, place) : undefined) ?? escapeHtml(typed)
    })
    .join('')

/** A status's text as HTML of `p br span a` (beyond-the-spec 1.9). Mentions that are not in `mentions` stay plain text. */
export const renderStatus = (text: string, place: Place): string =>
  renderInline(normaliseLines(text), place, 'nofollow noopener')
    .split(/\n{2,}/)
    .map((block) => (block ? `<p>${block.replaceAll('\n', '<br />')}</p>` : ''))
    .join('')

/**
 * The HTML of a status that quotes the one at `url`, with a link to it in front unless it has one, for clients that do not know quotes. Those
 * that do hide the paragraph by its class, as that of Mastodon (docs.joinmastodon.org, client/quotes).
 */
export const withQuoteInline = (html: string, url: string): string =>
  html.includes(`"${escapeHtml(url)}"`) ? html : `<p class="quote-inline">RE: ${linkTo(url, 'nofollow noopener')}</p>${html}`

/** A profile's note as HTML, rendered like a status (beyond-the-spec 1.9). */
export const renderNote = renderStatus

/** The value of a profile's field as HTML: no paragraphs, lines joined by a space, links with rel `me` (beyond-the-spec 1.9). */
export const renderFieldValue = (text: string, place: Place): string =>
  renderInline(normaliseLines(text), place, 'nofollow noopener me').replace(/\n+/g, ' ')

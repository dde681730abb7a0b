import { type Html, html } from '@rookery/pages'

/** What other sites and search engines read of a page (ogp.me; oembed.com, 4). */
export type Described = {
  kind: 'profile' | 'article' | 'website'
  title: string
  description: string
  url: string
  image: string | undefined
  host: string
  /** Where to ask how to embed it; absent for what cannot be embedded. */
  oembed?: string
  /** Its feed. */
  feed?: string
  /** The same for other servers (ActivityPub, 3.2). */
  activity?: string
  /** When it was written, milliseconds since 1970. */
  writtenAt?: number
  /** The picture is what it is about, to be shown large. */
  isPictured?: boolean
}

const MAX_DESCRIPTION = 300

/** A text cut at a length that previews show. */
export const excerpt = (text: string, max = MAX_DESCRIPTION): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

const property = (name: string, content: string | undefined): Html | undefined =>
  content ? html`<meta property="${name}" content="${content}">\n` : undefined

/** The lines of a head that describe its page. */
export const describingHead = (given: Described): Html => html`<meta name="description" content="${given.description}">
<link rel="canonical" href="${given.url}">
${property('og:type', given.kind)}${property('og:site_name', given.host)}${property('og:title', given.title)}${property('og:description', given.description)}${property('og:url', given.url)}${property('og:image', given.image)}${given.writtenAt !== undefined && property('article:published_time', new Date(given.writtenAt).toISOString())}<meta name="twitter:card" content="${given.isPictured ? 'summary_large_image' : 'summary'}">
${given.activity && html`<link rel="alternate" type="application/activity+json" href="${given.activity}">\n`}${given.feed && html`<link rel="alternate" type="application/rss+xml" href="${given.feed}" title="${given.title}">\n`}${given.oembed && html`<link rel="alternate" type="application/json+oembed" href="${given.oembed}" title="${given.title}">`}`

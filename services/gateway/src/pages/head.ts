import { type Html, html } from '@rookery/pages'

/** The metadata of a page for other sites and search engines (ogp.me; oembed.com, 4). */
export type Described = {
  kind: 'profile' | 'article' | 'website'
  title: string
  description: string
  url: string
  image: string | undefined
  host: string
  /** The oEmbed URL; absent if it cannot be embedded. */
  oembed?: string
  /** The URL of its feed. */
  feed?: string
  /** The URL of the same as ActivityPub (3.2). */
  activity?: string
  /** When it was written, in milliseconds since 1970. */
  writtenAt?: number
  /** Whether the image is the subject, to be shown large. */
  isPictured?: boolean
}

const MAX_DESCRIPTION = 300

/** Truncates a text for previews. */
export const excerpt = (text: string, max = MAX_DESCRIPTION): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

const property = (name: string, content: string | undefined): Html | undefined =>
  content ? html`<meta property="${name}" content="${content}">\n` : undefined

/** The elements of the head that describe its page. */
export const describingHead = (given: Described): Html => html`<meta name="description" content="${given.description}">
<link rel="canonical" href="${given.url}">
${property('og:type', given.kind)}${property('og:site_name', given.host)}${property('og:title', given.title)}${property('og:description', given.description)}${property('og:url', given.url)}${property('og:image', given.image)}${given.writtenAt !== undefined && property('article:published_time', new Date(given.writtenAt).toISOString())}<meta name="twitter:card" content="${given.isPictured ? 'summary_large_image' : 'summary'}">
${given.activity && html`<link rel="alternate" type="application/activity+json" href="${given.activity}">\n`}${given.feed && html`<link rel="alternate" type="application/rss+xml" href="${given.feed}" title="${given.title}">\n`}${given.oembed && html`<link rel="alternate" type="application/json+oembed" href="${given.oembed}" title="${given.title}">`}`

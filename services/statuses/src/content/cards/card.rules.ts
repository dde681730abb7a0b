import { frameIn, playerFrame } from '@rookery/markup'
import type { CardCreator, StoredCard } from '../../database/tables/card.ts'
import type { Oembed } from './oembed.rules.ts'
import type { Page } from './page.rules.ts'

/** A card without our copy of its image. */
export type CardDraft = { card: StoredCard; pictureUrl: string | undefined }

type Found = { page: Page; pageUrl: string; oembed: Oembed | undefined; ownHost: string }

/** Maximum characters stored. */
const LONGEST = { title: 255, description: 500, name: 100, url: 2048 }

/** Control characters, bidirectional controls, and zero-width characters. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff\ufff9-\ufffb]+/gu

/** A text on one line, truncated. */
const oneLine = (text: string, longest: number): string =>
  [
    ...text
      .slice(0, longest * 4)
      .replace(UNSEEN, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toWellFormed(),
  ]
    .slice(0, longest)
    .join('')
    .trim()

/** An absolute http or https URL; empty for any other. */
const address = (text: string, base: string): string => {
  const url = text.trim() === '' ? null : URL.parse(text.trim(), base)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url && isWeb && !url.username && !url.password && url.href.length <= LONGEST.url ? url.href : ''
}

const languageIn = (text: string): string => /^([a-z]{2,3})(?:[-_]|$)/i.exec(text.trim())?.[1]?.toLowerCase() ?? ''

const timeIn = (text: string): number | null => {
  const time = Date.parse(text)
  // The API's years have four digits.
  return time > 0 && time < Date.UTC(10_000, 0) ? time : null
}

const sizeIn = (text: string): number => (/^\d{1,5}$/.test(text) ? Number(text) : 0)

const first = (...texts: (string | undefined)[]): string => texts.find((text) => text?.trim()) ?? ''

type Meta = (...names: string[]) => string

const authorOf = ({ oembed, pageUrl }: Found, meta: Meta) => {
  const stated = meta('article:author', 'author')
  const isAddress = /^https?:\/\//i.test(stated.trim())
  const name = first(oembed?.authorName, isAddress ? meta('author') : stated)
  return {
    author_name: /^https?:\/\//i.test(name.trim()) ? '' : oneLine(name, LONGEST.name),
    author_url: address(first(oembed?.authorUrl, isAddress ? stated : ''), pageUrl),
  }
}

/** A handle with its domain, as `@ann@birds.example`. */
const HANDLE = /^@?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)@([a-z0-9.-]+(?::\d+)?)$/i

/** The author that a page names, in lower case; undefined if it names none. */
const creatorOf = ({ pageUrl, ownHost }: Found, meta: Meta): CardCreator | undefined => {
  const named = meta('fediverse:creator').trim().slice(0, LONGEST.url).toLowerCase()
  const [, username, domain] = HANDLE.exec(named) ?? []
  return username && domain ? { username, domain: domain === ownHost ? null : domain, host: new URL(pageUrl).hostname } : undefined
}

/** The player of a page, from its oEmbed or its metadata. */
const playerOf = ({ oembed, ownHost }: Found, meta: Meta) => {
  const html = oembed?.type === 'video' || oembed?.type === 'rich' ? frameIn(oembed.html, ownHost) : ''
  if (html) return { type: oembed!.type, html, width: oembed!.width, height: oembed!.height }
  const isPage = meta('og:video:type').toLowerCase().startsWith('text/html')
  const src = first(meta('twitter:player'), isPage ? meta('og:video:secure_url', 'og:video:url', 'og:video') : '')
  const width = sizeIn(meta('twitter:player:width', 'og:video:width'))
  const height = sizeIn(meta('twitter:player:height', 'og:video:height'))
  const frame = src ? playerFrame({ src, width, height }, ownHost) : ''
  return frame ? { type: 'video' as const, html: frame, width, height } : undefined
}

/**
 * The card of a page (beyond-the-spec 1.1, PreviewCard), from oEmbed, Open Graph, Twitter cards and plain HTML, in this order; undefined if it has no
 * title. Texts are bounded and on one line, URLs http or https.
 */
export const cardOf = (found: Found): CardDraft | undefined => {
  const { page, pageUrl, oembed } = found
  const meta: Meta = (...names) => first(...names.map((name) => page.meta.get(name)))
  const title = oneLine(first(oembed?.title, meta('og:title', 'twitter:title'), page.title), LONGEST.title)
  if (!title) return undefined
  const player = playerOf(found, meta)
  const photoUrl = oembed?.type === 'photo' ? address(oembed.url, pageUrl) : ''
  const image = first(
    photoUrl,
    meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
    oembed?.thumbnailUrl,
  )
  return {
    pictureUrl: address(image, pageUrl) || undefined,
    card: {
      type: player?.type ?? (photoUrl ? 'photo' : 'link'),
      title,
      description: oneLine(meta('og:description', 'twitter:description', 'description'), LONGEST.description),
      language: languageIn(first(page.language, meta('og:locale'))),
      ...authorOf(found, meta),
      provider_name: oneLine(first(oembed?.providerName, meta('og:site_name')), LONGEST.name),
      provider_url: address(oembed?.providerUrl ?? '', pageUrl),
      html: player?.html ?? '',
      width: player?.width ?? 0,
      height: player?.height ?? 0,
      image_url: '',
      image_description: oneLine(meta('og:image:alt', 'twitter:image:alt'), LONGEST.description),
      blurhash: '',
      creator: creatorOf(found, meta),
      published_at: timeIn(meta('article:published_time', 'og:article:published_time')),
    },
  }
}

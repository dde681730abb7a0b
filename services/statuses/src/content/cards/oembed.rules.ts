/** What a page's oEmbed says (oembed.com, 2.3.4), as far as it is of the types it should be. */
export type Oembed = {
  type: 'link' | 'photo' | 'video' | 'rich'
  title: string
  authorName: string
  authorUrl: string
  providerName: string
  providerUrl: string
  thumbnailUrl: string
  /** The picture of a photo. */
  url: string
  html: string
  width: number
  height: number
}

const TYPES = new Set(['link', 'photo', 'video', 'rich'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A number, also as text and with a unit: `100%` and the like are none. */
const size = (value: unknown): number =>
  /^\d{1,5}(?:\.\d+)?(?:px)?$/.test(String(value)) ? Math.round(Number.parseFloat(String(value))) : 0

/** Reads an oEmbed answer; undefined for what is none. */
export const readOembed = (json: string): Oembed | undefined => {
  let said: Record<string, unknown>
  try {
    said = JSON.parse(json)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null || !TYPES.has(text(said['type']))) return undefined
  return {
    type: said['type'] as Oembed['type'],
    title: text(said['title']),
    authorName: text(said['author_name']),
    authorUrl: text(said['author_url']),
    providerName: text(said['provider_name']),
    providerUrl: text(said['provider_url']),
    thumbnailUrl: text(said['thumbnail_url']),
    url: text(said['url']),
    html: text(said['html']),
    width: size(said['width']),
    height: size(said['height']),
  }
}

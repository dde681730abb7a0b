/** An oEmbed response (oembed.com, 2.3.4); values of a wrong type are empty or 0. */
export type Oembed = {
  type: 'link' | 'photo' | 'video' | 'rich'
  title: string
  authorName: string
  authorUrl: string
  providerName: string
  providerUrl: string
  thumbnailUrl: string
  /** For photos: the image. */
  url: string
  html: string
  width: number
  height: number
}

const TYPES = new Set(['link', 'photo', 'video', 'rich'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses a number, also as text and with a unit; 0 for `100%` and the like. */
const size = (value: unknown): number =>
  /^\d{1,5}(?:\.\d+)?(?:px)?$/.test(String(value)) ? Math.round(Number.parseFloat(String(value))) : 0

/** Parses an oEmbed response; undefined if it is not one. */
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

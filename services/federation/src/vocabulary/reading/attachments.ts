import type { Focus, RemoteAttachment } from '@rookery/contracts/statuses'
import { countOf, isObject, itemsOf, type JsonObject, linkOf, mappedText, objectsOf, textOf, typesOf } from './json.ts'

const MAX_ATTACHMENTS = 16
const MAX_DESCRIPTION = 10_000
const MAX_SIDE = 100_000
/** Maximum height of a video that is offered in several sizes, in pixels. */
const TALLEST = 1080

type Kind = 'image' | 'video' | 'audio' | 'unknown'

const EXTENSIONS: readonly (readonly [RegExp, Kind])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|heic|heif|bmp|jxl)$/i, 'image'],
  [/\.(?:mp4|m4v|webm|mov|ogv)$/i, 'video'],
  [/\.(?:mp3|ogg|oga|opus|wav|flac|m4a|aac)$/i, 'audio'],
]
const KINDS = new Map<string, Kind>([
  ['Image', 'image'],
  ['Video', 'video'],
  ['Audio', 'audio'],
])

const kindOf = (item: JsonObject, mediaType: string, url: string): Kind => {
  const main = mediaType.split('/', 1)[0]
  if (main === 'image' || main === 'video' || main === 'audio') return main
  const path = URL.parse(url)?.pathname ?? ''
  const byName = EXTENSIONS.find(([pattern]) => pattern.test(path))?.[1]
  if (byName) return byName
  const byType = typesOf(item).flatMap((type) => KINDS.get(type) ?? [])[0]
  return byType ?? 'unknown'
}

const focusOf = (value: unknown): Focus | undefined => {
  const [x, y] = Array.isArray(value) ? value : []
  const isWithin = (number: unknown): number is number => typeof number === 'number' && number >= -1 && number <= 1
  return isWithin(x) && isWithin(y) ? { x, y } : undefined
}

const BLURHASH = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,128}$/
const blurhashOf = (value: unknown): string => {
  const text = textOf(value, 129)
  return BLURHASH.test(text) ? text : ''
}

/** The first usable URL of a file, with its media type. */
const placeOf = (item: JsonObject): { url: string; mediaType: string; at: JsonObject } | undefined => {
  for (const place of [...itemsOf(item['url'], 32), ...itemsOf(item['href'], 1)]) {
    const url = linkOf(place)
    if (!url) continue
    const at = isObject(place) ? place : item
    return { url, mediaType: (textOf(at['mediaType'], 128) || textOf(item['mediaType'], 128)).toLowerCase(), at }
  }
  return undefined
}

const previewOf = (item: JsonObject): string => {
  for (const icon of [...itemsOf(item['icon'], 4), ...itemsOf(item['preview'], 1)]) {
    const url = isObject(icon) ? (linkOf(itemsOf(icon['url'], 1)[0]) ?? linkOf(icon)) : linkOf(icon)
    if (url) return url
  }
  return ''
}

/** Parses a file of an object; undefined without a URL, and for links to pages. */
export const attachmentOf = (item: JsonObject): RemoteAttachment | undefined => {
  const place = placeOf(item)
  if (!place) return undefined
  const type = kindOf(item, place.mediaType, place.url)
  const isPage = typesOf(item).includes('Link') || /^(?:text\/html|application\/xhtml\+xml)\b/.test(place.mediaType)
  if (type === 'unknown' && isPage) return undefined
  return {
    type,
    url: place.url,
    previewUrl: previewOf(item),
    description: mappedText(item, 'name', MAX_DESCRIPTION) || mappedText(item, 'summary', MAX_DESCRIPTION),
    blurhash: blurhashOf(item['blurhash']),
    focus: focusOf(item['focalPoint']),
    width: countOf(item['width'] ?? place.at['width'], MAX_SIDE) ?? 0,
    height: countOf(item['height'] ?? place.at['height'], MAX_SIDE) ?? 0,
  }
}

const MEDIA_TYPES = new Set(['Document', 'Image', 'Video', 'Audio', 'Link', 'Page'])

/** Whether an attachment is a file: by its type or media type or, if it has no type, by the kind that its URL suggests. */
const isFile = (item: JsonObject): boolean => {
  const types = typesOf(item)
  if (types.some((type) => MEDIA_TYPES.has(type)) || /^(?:image|video|audio)\//i.test(textOf(item['mediaType'], 128))) return true
  return types.length === 0 && attachmentOf(item)?.type !== 'unknown'
}

/** The files among an object's attachments, each URL once. */
export const attachmentsOf = (object: JsonObject): RemoteAttachment[] => {
  const found = new Map<string, RemoteAttachment>()
  for (const item of objectsOf(object['attachment'])) {
    if (found.size >= MAX_ATTACHMENTS || !isFile(item)) continue
    const attachment = attachmentOf(item)
    if (attachment && !found.has(attachment.url)) found.set(attachment.url, attachment)
  }
  return [...found.values()]
}

/** The picture of an article, page or event: an object, or only its URL (Ghost). */
export const pictureAttachments = (object: JsonObject): RemoteAttachment[] =>
  itemsOf(object['image'], 1).flatMap((item) => attachmentOf({ type: 'Image', ...(isObject(item) ? item : { url: item }) }) ?? [])

const heightOf = (link: JsonObject): number => countOf(link['height']) ?? 0

/**
 * The main file of a Video, Audio or Image: from its links, including those nested in playlists (PeerTube). Of several sizes, the largest with at
 * most 1080 lines, else the smallest.
 */
export const ownFile = (object: JsonObject): RemoteAttachment[] => {
  const links = objectsOf(object['url'], 64)
  const all = [...links, ...links.flatMap((link) => objectsOf(link['tag'], 64))]
  const files = all.filter((link) => /^(?:video|audio|image)\//i.test(textOf(link['mediaType'], 128)))
  const bySize = [...files].sort((a, b) => heightOf(a) - heightOf(b))
  const link = bySize.filter((file) => heightOf(file) <= TALLEST).at(-1) ?? bySize[0]
  const isOneAddress =
    links.length === 0 && kindOf(object, textOf(object['mediaType'], 128).toLowerCase(), linkOf(object) ?? '') !== 'unknown'
  if (!link && !isOneAddress) return []
  const file = attachmentOf({
    ...object,
    ...(link ? { url: link, width: link['width'], height: link['height'], name: '', summary: '' } : {}),
  })
  return file ? [file] : []
}

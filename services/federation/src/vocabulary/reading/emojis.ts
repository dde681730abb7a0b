import type { CustomEmoji } from '@rookery/contracts/statuses'
import { isOfType, type JsonObject, linkOf, objectsOf, textOf } from './json.ts'

const MAX_EMOJIS = 100
const SHORTCODE = /^:?([a-zA-Z0-9_-]{1,64}):?$/

/** The custom emojis among an object's tags, each shortcode once. */
export const emojisOf = (object: JsonObject): CustomEmoji[] => {
  const found = new Map<string, CustomEmoji>()
  for (const tag of objectsOf(object['tag'])) {
    if (!isOfType(tag, 'Emoji') || found.size >= MAX_EMOJIS) continue
    const shortcode = SHORTCODE.exec(textOf(tag['name'], 66))?.[1]
    const icon = objectsOf(tag['icon'])[0]
    const url = icon ? linkOf(objectsOf(icon['url'])[0] ?? icon) : undefined
    if (!shortcode || !url || found.has(shortcode)) continue
    found.set(shortcode, { shortcode, url, staticUrl: url, visibleInPicker: false, category: '' })
  }
  return [...found.values()]
}

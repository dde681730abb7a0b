import { normaliseTag } from '@rookery/markup'
import { isObject, isOfType, type JsonObject, objectsOf, textOf, totalOf } from './json.ts'

const MAX_TAG = 200
/** Maximum tags of a collection. */
const MAX_TAGS = 64

/** The hashtags among some tags, in their original case, without #, each once. */
export const hashtagsAmong = (items: readonly JsonObject[], max: number): string[] => {
  const found = new Map<string, string>()
  for (const tag of items) {
    if (found.size >= max || !isOfType(tag, 'Hashtag')) continue
    const typed = textOf(tag['name'], MAX_TAG).replace(/^[#＃]/, '')
    const name = normaliseTag(typed)
    if (name !== undefined && !found.has(name)) found.set(name, typed)
  }
  return [...found.values()]
}

/** The hashtags of a collection, including an embedded first page; undefined if it embeds no items, unless it is empty. */
export const readHashtags = (document: JsonObject): string[] | undefined => {
  const { first } = document
  const parts = (isObject(first) ? [document, first] : [document]).map((part) => part['orderedItems'] ?? part['items'])
  const listed = parts.filter((items) => items !== undefined)
  if (listed.length === 0 && totalOf(document) !== 0) return undefined
  return hashtagsAmong(
    listed.flatMap((items) => objectsOf(items, MAX_TAGS)),
    MAX_TAGS,
  )
}

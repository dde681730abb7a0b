/** An object of ActivityStreams as plain JSON, without any JSON-LD processing. */
export type JsonObject = { readonly [name: string]: unknown }

/** Of one array this many items are looked at; the others are as if they were not there. */
const MAX_ITEMS = 1000
/** Bytes: indexes hold addresses. */
const MAX_URI = 2048

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One or many, as ActivityStreams has it everywhere: nothing is no item. */
export const itemsOf = (value: unknown, max: number = MAX_ITEMS): readonly unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, max) : [value]
}

export const objectsOf = (value: unknown, max: number = MAX_ITEMS): readonly JsonObject[] => itemsOf(value, max).filter(isObject)

/** Whether text is an address of the web: http or https, a host, no credentials, nothing that a parser would leave out. */
export const isWebAddress = (text: string): boolean => {
  if (Buffer.byteLength(text) > MAX_URI || /[\s\p{Cc}]/u.test(text)) return false
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.host !== '' && !url.username && !url.password
}

const addressOf = (value: unknown): string | undefined => (typeof value === 'string' && isWebAddress(value) ? value : undefined)

/** The id of what is named: as text, or as an object that has one. */
export const uriOf = (value: unknown): string | undefined => addressOf(isObject(value) ? value['id'] : value)

/** The first id of one or many. */
export const firstUri = (value: unknown): string | undefined => {
  for (const item of itemsOf(value)) {
    const uri = uriOf(item)
    if (uri) return uri
  }
  return undefined
}

/** The ids of one or many, each once. */
export const urisOf = (value: unknown, max: number = MAX_ITEMS): readonly string[] => [
  ...new Set(itemsOf(value, max).flatMap((item) => uriOf(item) ?? [])),
]

/** The address of a link: a text, a Link, or an object with an address of its own. */
export const linkOf = (value: unknown): string | undefined => {
  if (!isObject(value)) return addressOf(value)
  return addressOf(value['href']) ?? addressOf(value['url'])
}

/** Text of at most so many UTF-16 units, as every store takes it: well formed, without NUL. */
export const textOf = (value: unknown, max: number): string => {
  const text = itemsOf(value, 1)[0]
  return typeof text === 'string' ? text.slice(0, max).replaceAll('\u0000', '').toWellFormed() : ''
}

/** A text that may be there by language: `name` or `nameMap`, `content` or `contentMap`. */
export const mappedText = (object: JsonObject, name: string, max: number): string => {
  const plain = textOf(object[name], max)
  const map = object[`${name}Map`]
  if (plain || !isObject(map)) return plain
  for (const value of Object.values(map)) {
    const text = textOf(value, max)
    if (text) return text
  }
  return ''
}

const NAMESPACE = /^(?:(?:as|toot|misskey|litepub|schema):|https:\/\/www\.w3\.org\/ns\/activitystreams#|https?:\/\/schema\.org[#/])/

/** The types of an object, without the prefix of a namespace. */
export const typesOf = (object: JsonObject): readonly string[] =>
  itemsOf(object['type'] ?? object['@type'], 8).flatMap((type) => (typeof type === 'string' ? [type.replace(NAMESPACE, '')] : []))

/** The first of its types that is one of these. */
export const typeAmong = <Type extends string>(object: JsonObject, types: ReadonlySet<Type>): Type | undefined =>
  typesOf(object).find((type): type is Type => types.has(type as Type))

export const isOfType = (object: JsonObject, type: string): boolean => typesOf(object).includes(type)

/** Whether a property says yes: as JSON has it, or as text. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true'

const LATEST = Date.parse('3000-01-01T00:00:00Z')
/** A date and a time of day without an offset: JavaScript takes it for one of the zone that this process runs in. */
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/** An offset that says UTC once more, as Python programs write it that append a Z to what has an offset. */
const WITH_TWO = /([+-]\d{2}:\d{2})Z$/

/** Milliseconds since 1970 of a time, UTC where it says no offset; undefined for what is none, or is before 1970 or absurdly late. */
export const timeOf = (value: unknown): number | undefined => {
  const [text] = itemsOf(value, 1)
  if (typeof text !== 'string' || text.length > 64) return undefined
  const time = Date.parse(WITHOUT_OFFSET.test(text) ? `${text}Z` : text.replace(WITH_TWO, '$1'))
  return time >= 0 && time < LATEST ? time : undefined
}

/** A whole number from 0 to `max`; undefined for anything else. */
export const countOf = (value: unknown, max: number = Number.MAX_SAFE_INTEGER): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.min(value, max) : undefined

/** The number of items that a collection claims. */
export const totalOf = (value: unknown): number | undefined => (isObject(value) ? countOf(value['totalItems']) : undefined)

const LANGUAGE = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,4}$/i
const NO_LANGUAGE = new Set(['und', 'mul', 'zxx', 'mis'])

const codeOf = (value: unknown): string | undefined => {
  const code = typeof value === 'string' ? LANGUAGE.exec(value)?.[1]?.toLowerCase() : undefined
  return code && !NO_LANGUAGE.has(code) ? code : undefined
}

/** The language of an object: the one its content is under in a map, or the one it names. As in ISO 639. */
export const languageOf = (object: JsonObject): string | undefined => {
  for (const name of ['content', 'summary', 'name']) {
    const map = object[`${name}Map`]
    if (!isObject(map)) continue
    const entries = Object.entries(map).slice(0, 16)
    const entry = entries.find(([, text]) => text === object[name]) ?? entries[0]
    const code = codeOf(entry?.[0])
    if (code) return code
  }
  const { language } = object
  return codeOf(isObject(language) ? language['identifier'] : language)
}

/** An object of ActivityStreams as plain JSON, without any JSON-LD processing. */
export type JsonObject = { readonly [name: string]: unknown }

/** Maximum number of items read from an array; the others are ignored. */
const MAX_ITEMS = 1000
/** Maximum length of a URL in bytes: URLs are indexed. */
const MAX_URI = 2048

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of a property, which in ActivityStreams is absent, a single value or an array. */
export const itemsOf = (value: unknown, max: number = MAX_ITEMS): readonly unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, max) : [value]
}

export const objectsOf = (value: unknown, max: number = MAX_ITEMS): readonly JsonObject[] => itemsOf(value, max).filter(isObject)

/** Whether a text is an http(s) URL with a host, without credentials, whitespace and control characters. */
export const isWebAddress = (text: string): boolean => {
  if (Buffer.byteLength(text) > MAX_URI || /[\s\p{Cc}]/u.test(text)) return false
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.host !== '' && !url.username && !url.password
}

const addressOf = (value: unknown): string | undefined => (typeof value === 'string' && isWebAddress(value) ? value : undefined)

/** The id of a reference: a text, or an object with an id. */
export const uriOf = (value: unknown): string | undefined => addressOf(isObject(value) ? value['id'] : value)

/** The first id of a property. */
export const firstUri = (value: unknown): string | undefined => {
  for (const item of itemsOf(value)) {
    const uri = uriOf(item)
    if (uri) return uri
  }
  return undefined
}

/** The ids of a property, without duplicates. */
export const urisOf = (value: unknown, max: number = MAX_ITEMS): readonly string[] => [
  ...new Set(itemsOf(value, max).flatMap((item) => uriOf(item) ?? [])),
]

/** The URL of a link: a text, a Link, or an object with a `url`. */
export const linkOf = (value: unknown): string | undefined => {
  if (!isObject(value)) return addressOf(value)
  return addressOf(value['href']) ?? addressOf(value['url'])
}

/** A text of at most `max` UTF-16 units, well-formed and without NUL, as every store accepts it. */
export const textOf = (value: unknown, max: number): string => {
  const text = itemsOf(value, 1)[0]
  return typeof text === 'string' ? text.slice(0, max).replaceAll('\u0000', '').toWellFormed() : ''
}

/** A text that may be mapped by language: `name` or `nameMap`, `content` or `contentMap`. */
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

/** The types of an object, without namespace prefixes. */
export const typesOf = (object: JsonObject): readonly string[] =>
  itemsOf(object['type'] ?? object['@type'], 8).flatMap((type) => (typeof type === 'string' ? [type.replace(NAMESPACE, '')] : []))

/** The first type of an object that is among these. */
export const typeAmong = <Type extends string>(object: JsonObject, types: ReadonlySet<Type>): Type | undefined =>
  typesOf(object).find((type): type is Type => types.has(type as Type))

export const isOfType = (object: JsonObject, type: string): boolean => typesOf(object).includes(type)

/** Whether a property is true, as a boolean or a text. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true'

const LATEST = Date.parse('3000-01-01T00:00:00Z')
/** A date and time without an offset, which JavaScript would read in the time zone of this process. */
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/** An offset followed by Z, as some Python programs write it. */
const WITH_TWO = /([+-]\d{2}:\d{2})Z$/

/** Parses a time, in milliseconds since 1970; UTC by default. Undefined if it is invalid, before 1970 or after the year 2999. */
export const timeOf = (value: unknown): number | undefined => {
  const [text] = itemsOf(value, 1)
  if (typeof text !== 'string' || text.length > 64) return undefined
  const time = Date.parse(WITHOUT_OFFSET.test(text) ? `${text}Z` : text.replace(WITH_TWO, '$1'))
  return time >= 0 && time < LATEST ? time : undefined
}

/** A non-negative integer, limited to `max`; undefined for anything else. */
export const countOf = (value: unknown, max: number = Number.MAX_SAFE_INTEGER): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.min(value, max) : undefined

/** The number of items that a collection claims. */
export const totalOf = (value: unknown): number | undefined => (isObject(value) ? countOf(value['totalItems']) : undefined)

const LANGUAGE = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,4}$/i
const NO_LANGUAGE = new Set(['und', 'mul', 'zxx', 'mis'])

/** Chinese has several ways of writing, which its region tells; other languages are one for all regions. */
const WRITTEN_BY_REGION = 'zh'

const codeOf = (value: unknown): string | undefined => {
  const [tag, match] = (typeof value === 'string' && LANGUAGE.exec(value)) || []
  const language = match?.toLowerCase()
  if (!language || NO_LANGUAGE.has(language)) return undefined
  return language === WRITTEN_BY_REGION ? tag : language
}

/** The code of an object's language (ISO 639, `zh-TW` with its region): the key of its content in a language map, else its `language`. */
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

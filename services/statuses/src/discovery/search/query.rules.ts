import { languageCode } from '../../content/text/index.ts'

/** The properties of statuses that operators can search for. */
export type Property = 'media' | 'image' | 'video' | 'audio' | 'poll' | 'embed' | 'link' | 'reply' | 'sensitive'

/** Authors by handle, in lower case without the leading sign; `me` is the viewer. */
export type Authors = { me: boolean; handles: string[] }

/** A parsed search for statuses. Times are milliseconds since 1970; `since` is inclusive, `until` exclusive. */
export type StatusQuery = {
  words: string[]
  unwantedWords: string[]
  /** Undefined for any author. */
  from: Authors | undefined
  notFrom: Authors
  having: Property[]
  notHaving: Property[]
  languages: string[]
  notLanguages: string[]
  since: number | undefined
  until: number | undefined
  scope: 'all' | 'library' | 'public'
}

/** Limits of a query: no one types longer ones, and each term costs an index look-up. */
const MAX_CHARACTERS = 400
const MAX_TERMS = 32

const DAY = 86_400_000

/** An operator with its value, a quoted phrase, or a word, each with an optional minus; an unclosed quote extends to the end. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|([^\s"]+))/gi
const HAS_WORD = /[\p{L}\p{N}]/u
const DATE = /^\d{4}-\d\d-\d\d$/

/** Properties that are kinds of media. */
const MEDIA: Record<string, Property> = { image: 'image', video: 'video', audio: 'audio' }
const HAS: Record<string, Property> = { media: 'media', ...MEDIA, poll: 'poll', embed: 'embed', link: 'link' }
const IS: Record<string, Property> = { reply: 'reply', sensitive: 'sensitive' }

const own = <Value>(table: Record<string, Value>, key: string): Value | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)

/** The start of a day; undefined if the text is not a date. */
const dayOf = (text: string): number | undefined => {
  const start = DATE.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  // Invalid days of a month are accepted by some engines and refused by others.
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(text) ? undefined : start
}

const emptyQuery = (): StatusQuery => ({
  words: [],
  unwantedWords: [],
  from: undefined,
  notFrom: { me: false, handles: [] },
  having: [],
  notHaving: [],
  languages: [],
  notLanguages: [],
  since: undefined,
  until: undefined,
  scope: 'all',
})

const addAuthor = (authors: Authors, value: string): void => {
  if (value === 'me') authors.me = true
  else authors.handles.push(value.replace(/^@/, ''))
}

const addProperty = (query: StatusQuery, property: Property | undefined, isUnwanted: boolean): boolean => {
  // Few statuses have media at all, which is looked up first.
  if (property && !isUnwanted && own(MEDIA, property)) query.having.push('media')
  if (property) query[isUnwanted ? 'notHaving' : 'having'].push(property)
  return property !== undefined
}

const notBefore = (query: StatusQuery, time: number): void => {
  query.since = Math.max(query.since ?? time, time)
}
const notAfter = (query: StatusQuery, time: number): void => {
  query.until = Math.min(query.until ?? time, time)
}

type Operator = (query: StatusQuery, value: string, isUnwanted: boolean) => boolean

const byDate =
  (bound: (query: StatusQuery, day: number, isUnwanted: boolean) => boolean): Operator =>
  (query, value, isUnwanted) => {
    const day = dayOf(value)
    return day !== undefined && bound(query, day, isUnwanted)
  }

/** Each operator adds its value to the query, or returns false if the value is invalid; days are in UTC. */
const OPERATORS: Record<string, Operator> = {
  from(query, value, isUnwanted) {
    if (!isUnwanted) query.from ??= { me: false, handles: [] }
    addAuthor(isUnwanted ? query.notFrom : query.from!, value)
    return true
  },
  has: (query, value, isUnwanted) => addProperty(query, own(HAS, value), isUnwanted),
  is: (query, value, isUnwanted) => addProperty(query, own(IS, value), isUnwanted),
  language(query, value, isUnwanted) {
    query[isUnwanted ? 'notLanguages' : 'languages'].push(languageCode(value)?.toLowerCase() ?? value)
    return true
  },
  before: byDate((query, day, isUnwanted) => {
    if (isUnwanted) notBefore(query, day)
    else notAfter(query, day)
    return true
  }),
  after: byDate((query, day, isUnwanted) => {
    if (isUnwanted) notAfter(query, day + DAY)
    else notBefore(query, day + DAY)
    return true
  }),
  during: byDate((query, day, isUnwanted) => {
    if (isUnwanted) return false
    notBefore(query, day)
    notAfter(query, day + DAY)
    return true
  }),
  in(query, value, isUnwanted) {
    if (isUnwanted || (value !== 'all' && value !== 'library' && value !== 'public')) return false
    query.scope = value
    return true
  },
}

const addTerm = (query: StatusQuery, [, minus, operator = '', phrase, word = '']: RegExpExecArray): void => {
  const isUnwanted = minus === '-'
  const name = operator.toLowerCase()
  const value = (phrase ?? word).trim().toLowerCase()
  const isOperator = value !== '' && own(OPERATORS, name)?.(query, value, isUnwanted)
  const words = name ? `${name}:${value}` : value
  if (!isOperator && HAS_WORD.test(words)) query[isUnwanted ? 'unwantedWords' : 'words'].push(words)
}

/**
 * Parses a typed search for statuses: words, "phrases", operators, and a minus for exclusions (beyond-the-spec 1.16). An unknown operator, or one
 * with an invalid value, is treated as words. One pass over a bounded text.
 */
export const parseQuery = (typed: string): StatusQuery => {
  const query = emptyQuery()
  const text = typed.slice(0, MAX_CHARACTERS).replaceAll(/[“”„«»]/g, '"')
  let terms = 0
  for (const term of text.matchAll(TERM)) {
    if (++terms > MAX_TERMS) break
    addTerm(query, term)
  }
  return query
}

/** Whether a query has a positive condition: with exclusions only, everything would be found. */
export const isSelective = ({ words, from, having, languages, since, until, scope }: StatusQuery): boolean =>
  words.length > 0 ||
  from !== undefined ||
  having.length + languages.length > 0 ||
  since !== undefined ||
  until !== undefined ||
  scope !== 'all'

// Matches only at the beginning of a word: otherwise a long word would be tried again from each of its letters.
const JOINED_WORD = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[_-]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)+/gu
const isOneJoinedWord = (term: string): boolean => term.replace(JOINED_WORD, '') === ''

/** A letter or digit of any script, also where the database only knows the English ones. */
const LETTER = '[^[:space:][:punct:]]'

/** A word with `_` or `-` as a regular expression of Postgres, which does not match inside longer words. */
const wholeWord = (word: string): string => `(?<!${LETTER}[_-]|[[:alnum:]])${word}(?![_-]${LETTER}|[[:alnum:]])`

/**
 * The words with `_` or `-` in these terms, each as a regular expression. The text search of Postgres splits such words, so that its matches must be
 * checked again.
 */
export const wholeWords = (terms: readonly string[]): string[] => terms.flatMap((term) => (term.match(JOINED_WORD) ?? []).map(wholeWord))

const quoted = (terms: readonly string[]) => terms.map((term) => `"${term}"`)

/** A websearch_to_tsquery for all terms, each as a phrase; null for none. */
export const everyWord = (terms: readonly string[]): string | null => quoted(terms).join(' ') || null

/** The exclusions of a search: a websearch_to_tsquery for any of these terms (null for none), and regular expressions for whole words. */
export const anyWord = (terms: readonly string[]): { words: string | null; wholeWords: string[] } => ({
  words: quoted(terms.filter((term) => !isOneJoinedWord(term))).join(' or ') || null,
  wholeWords: wholeWords(terms.filter(isOneJoinedWord)),
})

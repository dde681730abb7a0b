import type { Expiry } from '@rookery/contracts/statuses'

/** The contexts of a filter (spec, Filter); clients apply it there. */
const CONTEXTS: ReadonlySet<string> = new Set(['home', 'notifications', 'public', 'thread', 'account'])
/** The actions of clients on matches of a filter (spec, Filter; blur: beyond-the-spec 2.4). */
const ACTIONS: ReadonlySet<string> = new Set(['warn', 'hide', 'blur'])

export const LONGEST_TITLE = 256
const LONGEST_KEYWORD = 512

/** Limits per account: enough for anyone, and low enough for reading to stay cheap. Characters are those of all keywords. */
const MAX = { filters: 1000, keywords: 2000, characters: 50_000, statuses: 2000 } as const

/** The numbers of an account's filters, keywords, characters and statuses. */
export type Holdings = { [Part in keyof typeof MAX]: number }

/** Postgres's timestamps end after some hundred thousand years; no one means more than a hundred. */
const LONGEST_EXPIRY_SECONDS = 100 * 366 * 86_400

const lengthOf = (text: string) => Array.from(text).length

const textFaults = (name: string, text: string, longest: number): string[] => {
  if (text.trim() === '') return [`${name} can't be blank`]
  return lengthOf(text) > longest ? [`${name} is too long (maximum is ${longest} characters)`] : []
}

export const titleFaults = (title: string): string[] => textFaults('Title', title, LONGEST_TITLE)

/** The faults of a keyword, with the parameter's name as typed. */
export const keywordFaults = (keyword: string, name: 'Keyword' | 'Keywords keyword' | 'Phrase' = 'Keyword'): string[] =>
  textFaults(name, keyword, LONGEST_KEYWORD)

export const contextFaults = (contexts: readonly string[]): string[] =>
  contexts.length === 0 || contexts.some((context) => !CONTEXTS.has(context)) ? ['Context None or invalid context supplied'] : []

/** An empty action is valid: none was given. */
export const actionFaults = (action: string): string[] =>
  action === '' || ACTIONS.has(action) ? [] : ['Action is not included in the list']

/** The faults of exceeding the limits. */
export const holdingsFaults = (held: Holdings): string[] => [
  ...(held.filters > MAX.filters ? [`Filters are limited to ${MAX.filters}`] : []),
  ...(held.keywords > MAX.keywords ? [`Keywords of all filters are limited to ${MAX.keywords}`] : []),
  ...(held.characters > MAX.characters ? [`Keywords of all filters are limited to ${MAX.characters} characters together`] : []),
  ...(held.statuses > MAX.statuses ? [`Statuses of all filters are limited to ${MAX.statuses}`] : []),
]

/** When a filter changed at `now` (milliseconds since 1970) expires; undefined if unchanged, null for never. */
export const expiresAt = (expiry: Expiry | undefined, now: number): Date | null | undefined => {
  if (!expiry) return undefined
  if (expiry.seconds === undefined) return null
  return new Date(now + Math.min(expiry.seconds, LONGEST_EXPIRY_SECONDS) * 1000)
}

import type { Scanned } from './token.ts'

/** Characters that may join words within a tag but not end it: middle dot, katakana middle dot, zero-width non-joiner. */
const SEPARATORS = '\\u00b7\\u30fb\\u200c'
const WORD = '\\p{L}\\p{M}\\p{Nd}_'
const BODY = `[\\p{L}\\p{Nd}_][${WORD}${SEPARATORS}]*`

/** beyond-the-spec 1.9, Hashtags, as of 4.5: not preceded by a letter, a digit, `=`, `/` or `)`. */
const HASHTAG = new RegExp(`(?<![\\p{Alphabetic}\\p{Nd}=/)])[#＃](${BODY})`, 'uy')
const WHOLE_BODY = new RegExp(`^${BODY}$`, 'u')
const LETTER = /\p{Alphabetic}/u
const JOINED = new RegExp(`\\p{Nd}[_${SEPARATORS}]+\\p{Nd}`, 'u')

/** Longer ones stay text: otherwise combining marks would allow a name of any length for a few counted characters. */
const LONGEST_NAME = 255

const isSeparator = (character: string | undefined) => character === '\u00b7' || character === '\u30fb' || character === '\u200c'

const withoutLastSeparators = (body: string): string => {
  let end = body.length
  while (end > 0 && isSeparator(body[end - 1])) end--
  return body.slice(0, end)
}

const isName = (body: string): boolean => body.length <= LONGEST_NAME && (LETTER.test(body) || JOINED.test(body))

/** Scans a hashtag whose sign is at a position. */
export const scanHashtag = (text: string, at: number): Scanned => {
  HASHTAG.lastIndex = at
  const match = HASHTAG.exec(text)
  if (!match) return { end: at + 1 }
  const name = withoutLastSeparators(match[1] ?? '')
  if (!isName(name)) return { end: at + match[0].length }
  return { token: { kind: 'hashtag', start: at, end: at + 1 + name.length, name } }
}

/** Latin letters whose stroke or hook is not a combining mark, so that decomposition keeps it. */
const STROKES = new Map(Object.entries({ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ĸ: 'k', ł: 'l', ŋ: 'n', ø: 'o', ŧ: 't' }))
const STROKE = new RegExp(`[${[...STROKES.keys()].join('')}]`, 'gu')
const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu
const FIRST_MARKS = /^\p{M}+/u
const FOREIGN = new RegExp(`[^${WORD}${SEPARATORS}]|(?!\\u200c)\\p{Default_Ignorable_Code_Point}`, 'gu')

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(FOREIGN, '')
    .replace(LATIN_WITH_MARKS, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(STROKE, (letter) => STROKES.get(letter) ?? letter)
    .replace(FIRST_MARKS, '')

/**
 * The name a tag is looked up by: NFKC, lower case, Latin diacritics folded to ASCII, other characters stripped; a leading sign is ignored.
 * Undefined if the text is not a valid tag (beyond-the-spec 1.9, Hashtags).
 */
export const normaliseTag = (text: string): string | undefined => {
  const typed = /^[#＃]/.test(text) ? text.slice(1) : text
  if (typed.length > LONGEST_NAME || !WHOLE_BODY.test(typed) || withoutLastSeparators(typed) !== typed) return undefined
  const name = withoutLastSeparators(fold(typed))
  return isName(typed) && isName(name) ? name : undefined
}

/**
 * The name of the tag that someone asks posts of: characters that no tag has are left out first, so that `:tea` and `tea ` mean `tea`. Some programs put
 * them into the address (beyond-the-spec 1.9, Hashtags: other characters are stripped on lookup). Undefined if no tag is left.
 */
export const soughtTag = (text: string): string | undefined =>
  normaliseTag(text) ?? normaliseTag(withoutLastSeparators(text.replace(FOREIGN, '').replace(FIRST_MARKS, '')))

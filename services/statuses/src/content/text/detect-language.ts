import { tokenize } from '@rookery/markup'

/** Minimum letters for detection: results for shorter texts are guesses. */
const MIN_LETTERS = 20
/** The same for letters that represent a syllable or a word. */
const MIN_SYLLABLES = 6
/** Maximum characters examined: more do not make the result more certain. */
const MAX_CHARACTERS = 1000

const SYLLABLE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const LETTER = /\p{L}/gu
const SHORTCODE = /:\w{2,}:/g

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

/** The prose of a text: without URLs, mentions, tags and emoji shortcodes. */
export const wordsOf = (text: string): string => {
  const shown = text.slice(0, MAX_CHARACTERS)
  const plain = tokenize(shown).map(({ kind, start, end }) => (kind === 'text' ? shown.slice(start, end) : ' '))
  return plain.join('').replace(SHORTCODE, ' ').trim()
}

/** Whether a text is long enough for detection. */
export const isLongEnough = (words: string): boolean => countOf(LETTER, words) >= MIN_LETTERS || countOf(SYLLABLE, words) >= MIN_SYLLABLES

/**
 * The language of a text (ISO 639); undefined if the text is too short or the result uncertain. The detector's tables are loaded when first needed,
 * since most clients give a language.
 */
export const detectLanguage = async (text: string): Promise<string | undefined> => {
  const words = wordsOf(text)
  if (!isLongEnough(words)) return undefined
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(words)
  return found.isReliable() ? found.language : undefined
}

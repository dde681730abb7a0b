import { tokenize } from '@rookery/markup'

/** Letters a text must have before it is judged: shorter ones are guesses. */
const MIN_LETTERS = 20
/** The same for letters that stand for a syllable or a word. */
const MIN_SYLLABLES = 6
/** Characters looked at: more of them make no answer surer. */
const MAX_CHARACTERS = 1000

const SYLLABLE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const LETTER = /\p{L}/gu
const SHORTCODE = /:\w{2,}:/g

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

/** What people wrote in words: without addresses, mentions, tags and the names of emojis. */
export const wordsOf = (text: string): string => {
  const shown = text.slice(0, MAX_CHARACTERS)
  const plain = tokenize(shown).map(({ kind, start, end }) => (kind === 'text' ? shown.slice(start, end) : ' '))
  return plain.join('').replace(SHORTCODE, ' ').trim()
}

/** Whether there is enough to judge by. */
export const isLongEnough = (words: string): boolean => countOf(LETTER, words) >= MIN_LETTERS || countOf(SYLLABLE, words) >= MIN_SYLLABLES

/**
 * The language of a text (ISO 639), or undefined when it is too short or the answer would not be sure. The detector's tables are loaded when
 * first needed, since most clients say the language themselves.
 */
export const detectLanguage = async (text: string): Promise<string | undefined> => {
  const words = wordsOf(text)
  if (!isLongEnough(words)) return undefined
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(words)
  return found.isReliable() ? found.language : undefined
}

/** Where a word begins or ends in folded text. No text holds it: Postgres keeps no NUL. */
export const BOUNDARY = 0

/** A text as keywords are looked for in it. */
export type FoldedText = {
  readonly text: string
  /** Code points without regard to case, with a BOUNDARY wherever a word begins or ends. */
  readonly codes: Uint32Array
  /** For each of the codes, where in the text its character begins and ends. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u

const isAsciiWord = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f

/** Whether a character belongs to words: letters, marks, digits, connectors of any script (Unicode, class `word`). */
const isWordCharacter = (character: string): boolean => {
  const code = character.charCodeAt(0)
  return code < 0x80 ? isAsciiWord(code) : WORD.test(character)
}

/** The code points a character is compared by: those of its upper case in lower case, which all its cases share. */
const caseless = (character: string): number[] => {
  const code = character.charCodeAt(0)
  if (code < 0x80) return [code >= 0x41 && code <= 0x5a ? code + 0x20 : code]
  return Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).flatMap((lower) =>
    Array.from(lower, (each) => each.codePointAt(0)!),
  )
}

/**
 * Folds a text, one character at a time and so in time proportional to its length. It is not normalised: that takes quadratic time for
 * hostile runs of combining marks.
 */
export const foldText = (text: string): FoldedText => {
  const codes: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  let isInWord = false
  const push = (code: number, end: number) => {
    codes.push(code)
    starts.push(at)
    ends.push(end)
  }
  for (const character of text) {
    if (isWordCharacter(character) !== isInWord) {
      push(BOUNDARY, at)
      isInWord = !isInWord
    }
    const end = at + character.length
    for (const code of caseless(character)) push(code, end)
    at = end
  }
  if (isInWord) push(BOUNDARY, at)
  return { text, codes: Uint32Array.from(codes), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) }
}

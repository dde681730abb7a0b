/** Marks a word boundary in folded text. No text contains it: Postgres stores no NUL. */
export const BOUNDARY = 0

/** A case-folded text to search for keywords. */
export type FoldedText = {
  readonly text: string
  /** Code points without regard to case, with a BOUNDARY at each beginning and end of a word. */
  readonly codes: Uint32Array
  /** For each code, the offsets in the text at which its character begins and ends. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u

const isAsciiWord = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f

/** Whether a character is part of words: letters, marks, digits, connectors of any script (Unicode, class `word`). */
const isWordCharacter = (character: string): boolean => {
  const code = character.charCodeAt(0)
  return code < 0x80 ? isAsciiWord(code) : WORD.test(character)
}

/** The code points by which a character is compared: its upper case in lower case, common to all its cases. */
const caseless = (character: string): number[] => {
  const code = character.charCodeAt(0)
  if (code < 0x80) return [code >= 0x41 && code <= 0x5a ? code + 0x20 : code]
  return Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).flatMap((lower) =>
    Array.from(lower, (each) => each.codePointAt(0)!),
  )
}

/** Folds a text character by character, in linear time. It is not normalised: that takes quadratic time for hostile runs of combining marks. */
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

import { checkedValues, MAX_DEPTH, MAX_VALUES, malformed, tooDeep, tooMany, type Values } from './values.ts'

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('",\\[]{}', (sign) => sign.charCodeAt(0))

/** The end of the string that begins at `start`: a quote after an even number of backslashes, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote
  }
  return text.length
}

const opens = (sign: number) => sign === OPEN_LIST || sign === OPEN_OBJECT
const closes = (sign: number) => sign === CLOSE_LIST || sign === CLOSE_OBJECT

/**
 * Whether a JSON text exceeds the maximum of values (members of all lists and objects) or of levels; undefined if it is within both. Counts
 * without building the document, in one pass over the text. `JSON.parse` decides whether the text is valid JSON.
 */
export const excessOf = (text: string, bounds: { values: number; levels: number }): 'values' | 'levels' | undefined => {
  let values = 0
  let level = 0
  for (let at = 0; at < text.length && values <= bounds.values && level <= bounds.levels; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === COMMA) values++
    else if (opens(sign)) {
      values++
      level++
    } else if (closes(sign)) level--
  }
  if (level > bounds.levels) return 'levels'
  return values > bounds.values ? 'values' : undefined
}

/**
 * Parses a JSON object. An empty text counts as an empty object, and so does null, which axios sends for a request without data.
 * @throws Failure malformed if it is not an object, or exceeds the limits
 */
export const parseJson = (text: string): Values => {
  if (text.trim() === '') return {}
  const excess = excessOf(text, { values: MAX_VALUES, levels: MAX_DEPTH + 1 })
  if (excess) throw excess === 'levels' ? tooDeep() : tooMany()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed('The request body is not valid JSON', cause)
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed('The request body must be a JSON object')
  return checkedValues(value) as Values
}

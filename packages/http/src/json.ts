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

/** Put before names that are integers: engines list the members with such names first, by their values. Unicode leaves it to private use. */
const MARK = '\uE000'
const INTEGER_NAME = /^"-?\d+"\s*:$/
const ANY_INTEGER_NAME = /"-?\d+"\s*:/
/** A string, with the colon after it if it is a name. One without an end extends to that of the text, so that none is read twice. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?(?:\s*:)?/gs
const MARKED_NAME = /^\uE000-?\d+$/

const withMarks = (text: string): string =>
  text.replace(STRING, (string) => (INTEGER_NAME.test(string) ? `"${MARK}${string.slice(1)}` : string))

const withoutMark = (name: string): string => (MARKED_NAME.test(name) ? name.slice(MARK.length) : name)

/** Removes the marks. An object of which all names have one becomes a list, in the order given, as in a form. */
const withoutMarks = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutMarks)
  const members = Object.entries(value).map(([name, member]) => [name, withoutMarks(member)] as const)
  const isList = members.length > 0 && members.every(([name]) => MARKED_NAME.test(name))
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members.map(([name, member]) => [withoutMark(name), member]))
}

/** Parses JSON; lists whose items have names, `{"0":…,"1":…}`, are lists. The outermost object stays one. */
const parseInOrder = (text: string): unknown => {
  if (!ANY_INTEGER_NAME.test(text)) return JSON.parse(text)
  const value: unknown = JSON.parse(withMarks(text))
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [withoutMark(name), withoutMarks(member)]))
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
    value = parseInOrder(text)
  } catch (cause) {
    throw malformed('The request body is not valid JSON', cause)
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed('The request body must be a JSON object')
  return checkedValues(value) as Values
}

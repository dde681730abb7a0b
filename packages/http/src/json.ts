import { checkedValues, MAX_VALUES, malformed, refuseDepth, tooMany, type Values } from './values.ts'

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('",\\[]{}', (sign) => sign.charCodeAt(0))

const notJson = (cause?: unknown) => malformed('The request body is not valid JSON', cause)

/** Where the string that begins at `start` ends: at a quote behind an even number of backslashes. @throws Failure malformed */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote
  }
  throw notJson()
}

const opens = (sign: number) => sign === OPEN_LIST || sign === OPEN_OBJECT
const closes = (sign: number) => sign === CLOSE_LIST || sign === CLOSE_OBJECT

/**
 * Counts the values and the levels of a document without building it: a million keys cost a glance at their bytes.
 * @throws Failure malformed beyond the bounds
 */
const refuseLarge = (text: string): void => {
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === COMMA) values++
    else if (opens(sign)) {
      values++
      refuseDepth(++depth - 1)
    } else if (closes(sign)) depth--
    if (values > MAX_VALUES) throw tooMany()
  }
}

/** Reads a JSON object; nothing at all is an empty one. @throws Failure malformed for what is none, or beyond the bounds */
export const parseJson = (text: string): Values => {
  if (text.trim() === '') return {}
  refuseLarge(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw notJson(cause)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw malformed('The request body must be a JSON object')
  return checkedValues(value) as Values
}

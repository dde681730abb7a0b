import { Failure } from '@rookery/failures'

/** Parameters as decoded from path, body and query: texts, numbers, booleans, lists and objects of them. */
export type Values = { [name: string]: unknown }

const DEEPEST = 16

const checkText = (text: string) => {
  if (text.includes('\0')) throw new Failure('malformed', 'Parameters must not contain NUL characters')
  return text.isWellFormed() ? text : text.toWellFormed()
}

/**
 * Values fit for use: no NUL anywhere (Postgres refuses it), no broken surrogates, no depth that a stack could not bear.
 * @throws Failure malformed
 */
export const checkedValues = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return checkText(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > DEEPEST) throw new Failure('malformed', 'Parameters are nested too deeply')
  if (Array.isArray(value)) return value.map((item) => checkedValues(item, depth + 1))
  const checked: Values = Object.create(null)
  for (const [name, item] of Object.entries(value)) checked[checkText(name)] = checkedValues(item, depth + 1)
  return checked
}

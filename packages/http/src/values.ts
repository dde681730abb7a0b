import { Failure } from '@rookery/failures'

/** Parameters decoded from a query or a body: text, numbers, booleans, lists and objects of them. */
export type Values = { [name: string]: unknown }

/** Maximum bytes of all parameters of a request. */
export const MAX_BYTES = 1_048_576

/** Maximum values of a request; no client sends more. */
export const MAX_VALUES = 2000

/** Maximum nesting of values: more than any endpoint reads, and safe for recursion. */
export const MAX_DEPTH = 16

/** The failure for an unreadable request; the caller sees the message. */
export const malformed = (message: string, cause?: unknown): Failure => new Failure('malformed', message, { cause })

/** The failure for parameters beyond the size limit. */
export const tooLarge = (): Failure => new Failure('invalid', 'Validation failed: Request body is too large')

/** The failure for too many parameters. */
export const tooMany = (): Failure => malformed(`There are more than ${MAX_VALUES} parameters`)

/** The failure for values nested too deeply. */
export const tooDeep = (): Failure => malformed('Parameters are nested too deeply')

/** @throws Failure malformed */
export const refuseDepth = (depth: number): void => {
  if (depth > MAX_DEPTH) throw tooDeep()
}

/** Text without NUL, which Postgres refuses, and with lone surrogates replaced. @throws Failure malformed */
export const checkedText = (text: string): string => {
  if (text.includes('\0')) throw malformed('Parameters must not contain NUL characters')
  return text.isWellFormed() ? text : text.toWellFormed()
}

/** Values and names checked like `checkedText`, in objects without a prototype. @throws Failure malformed */
export const checkedValues = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return checkedText(value)
  if (value === null || typeof value !== 'object') return value
  refuseDepth(depth)
  if (Array.isArray(value)) return value.map((item) => checkedValues(item, depth + 1))
  const checked: Values = Object.create(null)
  for (const [name, item] of Object.entries(value)) checked[checkedText(name)] = checkedValues(item, depth + 1)
  return checked
}

/** A check of a value's shape; returns the faults, each with its path. */
export type Shape = (value: unknown, at: string) => string[]

const said = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? String(value)

const kind =
  (name: string, fits: (value: unknown) => boolean): Shape =>
  (value, at) =>
    fits(value) ? [] : [`${at} should be ${name}, is ${said(value)}`]

export const matching = (name: string, pattern: RegExp) => kind(name, (value) => typeof value === 'string' && pattern.test(value))

export const text = kind('text', (value) => typeof value === 'string')
export const flag = kind('true or false', (value) => typeof value === 'boolean')
export const integer = kind('an integer', Number.isInteger)
export const number = kind('a number', (value) => typeof value === 'number')
export const nothing = kind('null', (value) => value === null)
export const id = matching('an id', /^[1-9]\d{0,18}$/)
/** YYYY-MM-DDThh:mm:ss.mmmZ */
export const moment = matching('a moment with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const day = matching('a day', /^\d{4}-\d\d-\d\d$/)
export const midnight = matching('a midnight', /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
export const url = kind('an absolute URL', (value) => typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value))

export const oneOf = (...values: unknown[]): Shape => kind(`one of ${said(values)}`, (value) => values.includes(value))

export const nullable =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? [] : shape(value, at)

export const listOf =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => shape(item, `${at}[${index}]`)) : [`${at} should be a list, is ${said(value)}`]

export const emptyList = kind('an empty list', (value) => Array.isArray(value) && value.length === 0)

/** An object with exactly these keys; those of `mayHave` are optional. */
export const object =
  (keys: Record<string, Shape>, mayHave: Record<string, Shape> = {}): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} should be an object, is ${said(value)}`]
    const given = value as Record<string, unknown>
    const known = { ...keys, ...mayHave }
    const missing = Object.keys(keys).filter((key) => !(key in given))
    const foreign = Object.keys(given).filter((key) => !(key in known))
    return [
      ...missing.map((key) => `${at}.${key} is missing`),
      ...foreign.map((key) => `${at}.${key} is not in the contract`),
      ...Object.entries(given).flatMap(([key, inner]) => known[key]?.(inner, `${at}.${key}`) ?? []),
    ]
  }

/** The faults of a value. */
export const faultsIn = (value: unknown, shape: Shape): string[] => shape(value, '')

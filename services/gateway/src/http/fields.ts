import { invalid } from '@rookery/failures'
import type { Values } from '@rookery/http'
import { isId } from '@rookery/ids'
import { z } from 'zod'

const FALSE = new Set(['false', 'FALSE', 'f', 'F', '0', 'off', 'OFF'])

const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const asFlag = (value: unknown): boolean | undefined => {
  const text = asText(value)
  return text === undefined || text === '' ? undefined : !FALSE.has(text)
}

/** Integers beyond the safe range count as the largest safe one. */
const asInteger = (value: unknown): number | undefined => {
  const text = asText(value)?.trim() ?? ''
  if (!/^[-+]?\d+$/.test(text)) return undefined
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
}

/** A list in any spelling: k[]=a, k[0]=a, a JSON array, a hash keyed by index, one bare value. Empty items are dropped. */
const asList = (value: unknown): unknown[] | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  const items = typeof value === 'object' ? Object.values(value) : [value]
  return items.filter((item) => item !== null && item !== '')
}

const asTexts = (value: unknown): string[] | undefined => asList(value)?.flatMap((item) => asText(item) ?? [])

const asHash = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined

/** A JSON number beyond the safe range cannot be an id. */
const asIdText = (value: unknown): string | undefined =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? 'inexact' : asText(value)?.trim() || undefined

/** A string; other values count as absent. */
export const text = () => z.preprocess(asText, z.string().optional())

/** A boolean by the API's rules (beyond-the-spec 0.1); empty counts as absent. */
export const flag = () => z.preprocess(asFlag, z.boolean().optional())

/** An integer, as number or string. */
export const integer = () => z.preprocess(asInteger, z.number().int().optional())

const isEmpty = (value: unknown) => value === null || value === ''

const wholeNumberOf = (label: string) =>
  z.number(`${label} is not a number`).int().nonnegative(`${label} must be greater than or equal to 0`)

/** A whole number that is not negative; empty counts as absent. @throws Failure invalid if it is something else */
export const wholeNumber = (label: string) =>
  z.preprocess(
    (value) => (value === undefined || isEmpty(value) ? undefined : (asInteger(value) ?? Number.NaN)),
    wholeNumberOf(label).optional(),
  )

/** A duration in seconds, as a whole number. */
export const seconds = wholeNumber

/** A duration in seconds, but null for an empty value, which removes it. */
export const clearableSeconds = (label: string) =>
  z.preprocess(
    (value) => (isEmpty(value) ? null : value === undefined ? undefined : (asInteger(value) ?? Number.NaN)),
    wholeNumberOf(label).nullable().optional(),
  )

/** A list of strings, in any spelling; absent counts as empty. */
export const textList = () => z.preprocess((value) => asTexts(value) ?? [], z.array(z.string()))

const LARGEST_INTEGER = 2_147_483_647
const inRange = (value: number | undefined) => (value !== undefined && Math.abs(value) <= LARGEST_INTEGER ? value : undefined)

/** A list of integers, in any spelling; invalid items become -1, which matches nothing in the API. */
export const integerList = () =>
  z.preprocess((value) => (asTexts(value) ?? []).map((item) => inRange(asInteger(item)) ?? -1), z.array(z.number().int()))

/** A list of strings, in any spelling; undefined if absent, so that an empty one can be told apart. */
export const givenTexts = () => z.preprocess(asTexts, z.array(z.string()).optional())

/** The hashes of a list, in any spelling; undefined if it is something else (beyond-the-spec 0.1). */
const asHashes = (value: unknown): Values[] | undefined => {
  if (typeof value !== 'object') return undefined
  const items = asList(value)
  const hashes = items?.map(asHash).filter((item) => item !== undefined)
  return items?.length && !hashes?.length ? undefined : hashes
}

/** A list of hashes, in any spelling; undefined when absent. */
export const hashList = () => z.preprocess(asHashes, z.array(z.record(z.string(), z.unknown())).optional())

/** A hash. */
export const hash = () => z.preprocess(asHash, z.record(z.string(), z.unknown()).optional())

/** A cursor or the id of a record. @throws Failure invalid if it cannot be one */
export const id = (name: string) =>
  z.preprocess(
    asIdText,
    z
      .string()
      .refine((value) => isId(value), { message: `${name} is not a valid id` })
      .optional(),
  )

/** The id of a record, or empty to remove it; undefined if absent. @throws Failure invalid if it cannot be one */
export const givenId = (name: string) =>
  z.preprocess(
    (value) => (value === '' ? '' : asIdText(value)),
    z
      .string()
      .refine((value) => value === '' || isId(value), { message: `${name} is not a valid id` })
      .optional(),
  )

/** The limit of a page: silently capped, 0 for none, the absolute value of negative numbers (beyond-the-spec 0.1). */
export const limit = ({ standard, max }: { standard: number; max: number }) =>
  z.preprocess((value) => Math.min(Math.abs(asInteger(value) ?? standard), max), z.number().int().meta({ default: standard, maximum: max }))

/** The maximum of Postgres's integers; no one pages that far. */
export const MAX_SKIPPED = 2 ** 31 - 1

/** The number of records to skip: 0 if absent or negative. */
export const offset = () =>
  z.preprocess((value) => Math.min(Math.max(0, asInteger(value) ?? 0), MAX_SKIPPED), z.number().int().meta({ default: 0 }))

/** The cursors and the limit of a list (spec, Pagination conventions). */
export const paging = (sizes: { standard: number; max: number }) => ({
  max_id: id('max_id'),
  since_id: id('since_id'),
  min_id: id('min_id'),
  limit: limit(sizes),
})

/** The cursors and the limit in the form of calls. */
export const pageOf = (input: {
  max_id?: string | undefined
  since_id?: string | undefined
  min_id?: string | undefined
  limit: number
}) => ({
  maxId: input.max_id,
  sinceId: input.since_id,
  minId: input.min_id,
  limit: input.limit,
})

/** The schema of an endpoint's parameters, by name. */
export const form = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> => z.object(shape)

/** Decodes the parameters of an endpoint. @throws Failure invalid naming every fault */
export const decode = <Schema extends z.ZodType>(schema: Schema, values: Values): z.output<Schema> => {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  throw invalid(...new Set(result.error.issues.map((issue) => issue.message)))
}

import { Failure, unavailable } from '@rookery/failures'

/** Timeout of a call to a provider, in milliseconds. */
const TIMEOUT = 10_000

/** The error messages for a provider over its quota, or over its rate limit, in upstream's words. */
const EXHAUSTED = 'The server-wide usage quota for the translation service has been exceeded.'
const HURRIED = 'There have been too many requests to the translation service recently.'

/** HTTP statuses with which a provider reports that the quota is used up. */
type QuotaStatuses = readonly number[]

const answerOf = async (response: Response, quota: QuotaStatuses): Promise<unknown> => {
  if (response.ok) return await response.json()
  await response.body?.cancel()
  const cause = `the translation provider answered ${response.status}`
  if (quota.includes(response.status)) throw new Failure('unavailable', EXHAUSTED, { cause })
  if (response.status === 429) throw new Failure('unavailable', HURRIED, { cause })
  throw unavailable(cause)
}

/** Requests JSON from a provider, without following redirects. @throws Failure unavailable for any error; its message does not contain the key */
export const callProvider = async (address: string, init: RequestInit, quota: QuotaStatuses): Promise<unknown> => {
  try {
    return await answerOf(await fetch(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) }), quota)
  } catch (error) {
    throw error instanceof Failure ? error : unavailable(error)
  }
}

/** Returns the parsed response of a provider. @throws Failure unavailable if it could not be parsed */
export const checked = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw unavailable('the translation provider answered in another form')
  return value
}

/** Parses a list of items; undefined if one of them is invalid. */
export const listOf = <Item>(value: unknown, item: (each: unknown) => Item | undefined): Item[] | undefined => {
  if (!Array.isArray(value)) return undefined
  const items = value.map(item)
  return items.includes(undefined) ? undefined : (items as Item[])
}

/** Reads a string field of a record; undefined if it is missing. */
export const textOf = (record: unknown, name: string): string | undefined => {
  const value = (record as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

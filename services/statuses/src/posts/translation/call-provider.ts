import { Failure, unavailable } from '@rookery/failures'

/** Milliseconds a provider has. */
const TIMEOUT = 10_000

/** The error for a provider that is over its quota, in upstream's words. */
const EXHAUSTED = 'The server-wide usage quota for the translation service has been exceeded.'
const HURRIED = 'There have been too many requests to the translation service recently.'

/** HTTP statuses by which a provider says that the server's quota is used up. */
type QuotaStatuses = readonly number[]

const answerOf = async (response: Response, quota: QuotaStatuses): Promise<unknown> => {
  if (response.ok) return await response.json()
  await response.body?.cancel()
  const cause = `the translation provider answered ${response.status}`
  if (quota.includes(response.status)) throw new Failure('unavailable', EXHAUSTED, { cause })
  if (response.status === 429) throw new Failure('unavailable', HURRIED, { cause })
  throw unavailable(cause)
}

/**
 * Asks a provider for JSON, without following it elsewhere. @throws Failure unavailable for everything that goes wrong, which says nothing of the
 * key
 */
export const callProvider = async (address: string, init: RequestInit, quota: QuotaStatuses): Promise<unknown> => {
  try {
    return await answerOf(await fetch(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) }), quota)
  } catch (error) {
    throw error instanceof Failure ? error : unavailable(error)
  }
}

/** What a provider says, if it is of the form it should have. @throws Failure unavailable when it is not */
export const checked = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw unavailable('the translation provider answered in another form')
  return value
}

/** A list whose items all have a form, or undefined. */
export const listOf = <Item>(value: unknown, item: (each: unknown) => Item | undefined): Item[] | undefined => {
  if (!Array.isArray(value)) return undefined
  const items = value.map(item)
  return items.includes(undefined) ? undefined : (items as Item[])
}

/** A text of a record, or undefined. */
export const textOf = (record: unknown, name: string): string | undefined => {
  const value = (record as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

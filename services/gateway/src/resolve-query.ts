import type { Resolved } from '@rookery/contracts/federation'
import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'

/** How long an answer waits for another server, in milliseconds. */
const MAX_WAIT = 8000

const HANDLE = /^(?:acct:)?@?([\w.-]{1,128}@[^@\s/]{1,259})$/i

/** The handle or URL of another server in a query; undefined for any other text. */
export const queryElsewhere = (typed: string, baseUrl: string): { handle: string } | { url: string } | undefined => {
  const text = typed.trim()
  const own = new URL(baseUrl).host
  const handle = HANDLE.exec(text)?.[1]
  if (handle) return handle.slice(handle.indexOf('@') + 1).toLowerCase() === own ? undefined : { handle }
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url && url.host !== own ? { url: url.href } : undefined
}

/** The result, or undefined if nothing is found in time. */
const orNothing = async <Found>(finding: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Looks up a handle or URL of another server that a person searches for. Undefined for a handle that is already known, for any other text,
 * and when the other server does not answer in time: then only local results are returned.
 */
export const resolveQuery = async (
  call: Call,
  { text, viewerId }: { text: string; viewerId: string },
  { accounts, resolver, config }: Clients,
): Promise<Resolved | undefined> => {
  const target = viewerId ? queryElsewhere(text, config.baseUrl) : undefined
  if (!target) return undefined
  const waiting = { ...call, deadline: Math.min(call.deadline, Date.now() + MAX_WAIT) }
  if ('url' in target) return orNothing(resolver.resolveUrl(waiting, { url: target.url, askerId: viewerId, isImported: false }))
  const known = await orNothing(accounts.lookup(waiting, { acct: target.handle, viewerId }))
  return known
    ? undefined
    : orNothing(resolver.resolveHandle(waiting, { handle: target.handle, askerId: viewerId, isFresh: false, isImported: false }))
}

import type { Resolved } from '@rookery/contracts/federation'
import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'

/** How long an answer waits for another server, in milliseconds. */
const MAX_WAIT = 8000

const HANDLE = /^(?:acct:)?@?([\w.-]{1,128}@[^@\s/]{1,259})$/i

/** What a text asks another server for: a person by handle, or what is at an address; undefined where it asks for nothing elsewhere. */
export const soughtElsewhere = (typed: string, baseUrl: string): { handle: string } | { url: string } | undefined => {
  const text = typed.trim()
  const own = new URL(baseUrl).host
  const handle = HANDLE.exec(text)?.[1]
  if (handle) return handle.slice(handle.indexOf('@') + 1).toLowerCase() === own ? undefined : { handle }
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url && url.host !== own ? { url: url.href } : undefined
}

/** Undefined for what cannot be had, or not in time. */
const orNothing = async <Found>(finding: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Has other servers asked for what a person of this server looks for, when it is not known here: a handle, or an address. Undefined for what
 * is known, what is no such thing, and what cannot be had: then the answer is what is known here.
 */
export const resolveSought = async (
  call: Call,
  { text, viewerId }: { text: string; viewerId: string },
  { accounts, resolver, config }: Clients,
): Promise<Resolved | undefined> => {
  const sought = viewerId ? soughtElsewhere(text, config.baseUrl) : undefined
  if (!sought) return undefined
  const waiting = { ...call, deadline: Math.min(call.deadline, Date.now() + MAX_WAIT) }
  if ('url' in sought) return orNothing(resolver.resolveUrl(waiting, { url: sought.url, askerId: viewerId, isImported: false }))
  const known = await orNothing(accounts.lookup(waiting, { acct: sought.handle, viewerId }))
  return known
    ? undefined
    : orNothing(resolver.resolveHandle(waiting, { handle: sought.handle, askerId: viewerId, isFresh: false, isImported: false }))
}

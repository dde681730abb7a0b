/**
 * The host of an http(s) URL, with its port if it has one; undefined for anything else. Rejects a hostname with a trailing dot, which would be a
 * second name of the same server.
 */
export const hostOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isOfWeb && !url.hostname.endsWith('.') ? url.host : undefined
}

/** Maximum length of an actor's id in bytes: it is part of job keys of 512 characters, and of an index together with the id of an activity. */
const MAX_ACTOR_URI = 480

/** Whether the id of an actor is short enough to be stored. */
export const isActorUri = (uri: string): boolean => uri !== '' && Buffer.byteLength(uri) <= MAX_ACTOR_URI

/** Whether two URLs are on the same host: only then is a document at one of them trusted about the other. */
export const isSameHost = (one: string, other: string): boolean => hostOf(one) !== undefined && hostOf(one) === hostOf(other)

const withoutFragment = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (!url || hostOf(address) === undefined) return undefined
  url.hash = ''
  return url.href
}

/** Whether two URLs are the same except for their fragments. */
export const isSameDocument = (one: string, other: string): boolean =>
  withoutFragment(one) !== undefined && withoutFragment(one) === withoutFragment(other)

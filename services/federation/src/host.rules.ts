/**
 * The host of an address of the web, with its port when it has one; undefined for what is no such address. A name that ends with the dot of the
 * root is none: it would be a second name of the same server.
 */
export const hostOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isOfWeb && !url.hostname.endsWith('.') ? url.host : undefined
}

/** Bytes of an actor's id: it is part of the keys of jobs, which have 512 characters, and of an index with the id of an activity. */
const MAX_ACTOR_URI = 480

/** Whether the id of an actor can be kept. */
export const isActorUri = (uri: string): boolean => uri !== '' && Buffer.byteLength(uri) <= MAX_ACTOR_URI

/** Whether two addresses are on one host: only then one of them is believed about the other. */
export const isSameHost = (one: string, other: string): boolean => hostOf(one) !== undefined && hostOf(one) === hostOf(other)

const withoutFragment = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (!url || hostOf(address) === undefined) return undefined
  url.hash = ''
  return url.href
}

/** Whether two addresses are of one document: they differ by their fragments at most. */
export const isSameDocument = (one: string, other: string): boolean =>
  withoutFragment(one) !== undefined && withoutFragment(one) === withoutFragment(other)

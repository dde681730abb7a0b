import type { ReadActor } from '../contract.ts'
import { isActorUri, isSameHost } from '../host.rules.ts'

const DAY = 86_400_000
/** The age at which a stored actor is fetched again, in milliseconds. */
export const MAX_AGE = DAY
/** The minimum time between two counts of an actor's collections when their server sends the profile, in milliseconds. */
export const COUNTS_EVERY = DAY / 4
/** The minimum time between two fetches of a key that failed to verify, in milliseconds. */
export const KEY_CHECK_EVERY = 300_000

const MAX_URI = 2048
const MAX_KEY = 8192

/** Whether an actor document is consistent: inboxes and keys are on the host of the id, and nothing is too long. */
export const isSound = (actor: ReadActor): boolean => {
  const { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem, proofKeyId } = actor
  const addresses = [inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, proofKeyId]
  if (addresses.some((address) => address.length > MAX_URI) || publicKeyPem.length > MAX_KEY) return false
  if (!isActorUri(uri) || !publicKeyPem) return false
  return [inbox, keyId, ...[sharedInbox, proofKeyId].filter(Boolean)].every((address) => isSameHost(address, uri))
}

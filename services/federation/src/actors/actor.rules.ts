import type { ReadActor } from '../contract.ts'
import { isSameHost } from '../host.rules.ts'

const DAY = 86_400_000
/** How old what is known of an actor may be before it is read again, in milliseconds. */
export const MAX_AGE = DAY
/** How long the collections of someone whose profile their server sends are not counted again, in milliseconds. */
export const COUNTS_EVERY = DAY / 4
/** How long a key that failed to verify is not read again, in milliseconds. */
export const KEY_CHECK_EVERY = 300_000

const MAX_URI = 2048
const MAX_KEY = 8192

/** Whether what an actor says of themself holds together: inboxes and key are on the host of their id, and nothing is too long. */
export const isSound = (actor: ReadActor): boolean => {
  const { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem, proofKeyId } = actor
  const addresses = [uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, proofKeyId]
  if (addresses.some((address) => address.length > MAX_URI) || publicKeyPem.length > MAX_KEY) return false
  if (!uri || !inbox || !keyId || !publicKeyPem) return false
  return [inbox, keyId, ...[sharedInbox, proofKeyId].filter(Boolean)].every((address) => isSameHost(address, uri))
}

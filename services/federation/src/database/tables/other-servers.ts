import type { Generated } from 'kysely'

/** A key that no setting gives, by name. */
export type ServerKeyTable = { name: string; value: Buffer; createdAt: Generated<Date> }

/** The key pair of a person of this server; account 0 is the server itself. The private key is encrypted. */
export type ActorKeyTable = { accountId: string; username: string; publicKeyPem: string; privateKey: Buffer; createdAt: Date }

/** A person of another server, as this service needs them. */
export type RemoteActorTable = {
  uri: string
  /** Null while no account was opened for them. */
  accountId: string | null
  domain: string
  /** The domain of their handle; empty while no account was opened. */
  handleDomain: string
  inbox: string
  sharedInbox: string
  followersUri: string
  featuredUri: string
  outboxUri: string
  keyId: string
  publicKeyPem: string
  /** Of an Ed25519 key besides; null for none. */
  proofKeyId: string | null
  proofPublicKeyPem: string | null
  /** Their document while no account was opened; empty afterwards. */
  document: string
  fetchedAt: Date
  /** When it was last read again because a signature did not fit its key. */
  keyCheckedAt: Date | null
  /** When what they have in their collections was last to be counted. */
  countsAskedAt: Date | null
  goneAt: Date | null
  /** Until when a job holds the activities of this actor. */
  workingUntil: Date | null
}

/** A server that deliveries go to, and how it answers. */
export type HostTable = {
  domain: string
  failures: Generated<number>
  failingSince: Date | null
  nextTryAt: Date | null
  /** How it is known to verify signatures. */
  signs: Generated<'cavage' | 'rfc9421'>
  /** Until when a job holds its deliveries. */
  sendingUntil: Date | null
}

/** What is delivered, once for all its deliveries; sender 0 is the server itself. */
export type OutboundActivityTable = {
  id: string
  senderId: string
  payload: Buffer
  createdAt: Date
  isForFollowers: Generated<boolean>
  endsFollow: Generated<boolean>
}

/** How a delivery ended. */
export type DeliveryResult = 'delivered' | 'refused' | 'gone' | 'expired' | 'blocked' | 'dropped'

/** An activity on its way to an inbox. */
export type DeliveryTable = {
  id: Generated<string>
  activityId: string
  inbox: string
  domain: string
  attempts: Generated<number>
  createdAt: Date
  doneAt: Date | null
  result: DeliveryResult | null
}

/** An activity of another server. */
export type ReceivedActivityTable = {
  sequence: Generated<string>
  id: string
  actorUri: string
  inboxOf: string
  body: string
  receivedAt: Date
  attempts: Generated<number>
  nextTryAt: Date | null
  doneAt: Date | null
  failedAt: Date | null
  error: string | null
}

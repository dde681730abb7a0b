import type { Generated } from 'kysely'

/** A generated key, by name, for which there is no setting. */
export type ServerKeyTable = { name: string; value: Buffer; createdAt: Generated<Date> }

/** The key pair of a local account; account 0 is the server itself. The private key is encrypted. */
export type ActorKeyTable = { accountId: string; username: string; publicKeyPem: string; privateKey: Buffer; createdAt: Date }

/** A remote actor, with the fields that this service needs. */
export type RemoteActorTable = {
  uri: string
  /** Null while they have no account. */
  accountId: string | null
  domain: string
  /** The domain of their handle; empty while they have no account. */
  handleDomain: string
  inbox: string
  sharedInbox: string
  followersUri: string
  featuredUri: string
  outboxUri: string
  keyId: string
  publicKeyPem: string
  /** The id of an additional Ed25519 key; null if there is none. */
  proofKeyId: string | null
  proofPublicKeyPem: string | null
  /** Their document while they have no account; empty afterwards. */
  document: string
  fetchedAt: Date
  /** When they were last fetched again because a signature did not match the key. */
  keyCheckedAt: Date | null
  /** When a count of their collections was last requested. */
  countsAskedAt: Date | null
  goneAt: Date | null
  /** When the lease of the job that processes this actor's activities expires. */
  workingUntil: Date | null
}

/** The state of deliveries to a server. */
export type HostTable = {
  domain: string
  failures: Generated<number>
  failingSince: Date | null
  nextTryAt: Date | null
  /** The kind of signatures that it is known to verify. */
  signs: Generated<'cavage' | 'rfc9421'>
  /** When the lease of the job that sends its deliveries expires. */
  sendingUntil: Date | null
}

/** A payload, stored once for all its deliveries; sender 0 is the server itself. */
export type OutboundActivityTable = {
  id: string
  senderId: string
  payload: Buffer
  createdAt: Date
  isForFollowers: Generated<boolean>
  endsFollow: Generated<boolean>
}

/** The final result of a delivery. */
export type DeliveryResult = 'delivered' | 'refused' | 'gone' | 'expired' | 'blocked' | 'dropped'

/** A delivery of an activity to an inbox. */
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

/** An activity received from another server. */
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

import type { RemoteProfile } from '@rookery/contracts/statuses'
import type { Tx } from '@rookery/database'
import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import type { FederationTables } from './database/schema.ts'

/**
 * The interfaces between the two halves of this service: the wire (signatures, keys, fetches, inboxes, deliveries) and the vocabulary
 * (parsing and rendering JSON, handlers of activities, consumers that send activities).
 */

/** An object of ActivityStreams as plain JSON, without any JSON-LD processing. */
export type JsonObject = { readonly [name: string]: unknown }

/** A document and its URL after redirects. The reader must check that its id is on the host of that URL. */
export type FetchedDocument = { readonly url: string; readonly document: JsonObject }

/**
 * Fetches a document of another server, as activity JSON: at most 1 MB, 10 s, 3 redirects, public addresses only, signed by an account of
 * this server or by the server itself. @throws DocumentError
 */
export type FetchDocument = (
  url: string,
  options?: { readonly signedBy?: string; readonly signal?: AbortSignal },
) => Promise<FetchedDocument>

/** A stored actor of another server. */
export type RemoteActor = {
  readonly uri: string
  /** The id of the account in statuses; empty if none was opened. */
  readonly accountId: string
  /** The host of the uri, with its port when it has one. */
  readonly domain: string
  readonly inbox: string
  /** Empty for none. */
  readonly sharedInbox: string
  readonly followersUri: string
  readonly featuredUri: string
  readonly outboxUri: string
  readonly keyId: string
  readonly publicKeyPem: string
  readonly fetchedAt: Date
  readonly goneAt: Date | null
}

/** The content of an actor's document. */
export type ReadActor = Pick<
  RemoteActor,
  'uri' | 'inbox' | 'sharedInbox' | 'followersUri' | 'featuredUri' | 'outboxUri' | 'keyId' | 'publicKeyPem'
> & {
  readonly profile: RemoteProfile
  readonly followingUri: string
  readonly featuredTagsUri: string
  /** An additional Ed25519 key; empty for none. */
  readonly proofKeyId: string
  readonly proofPublicKeyPem: string
}

/** Remote actors. Those of suspended domains are never fetched, and `byUri` and `store` return undefined for them. */
export type Actors = {
  /**
   * The actor with an account in statuses: stored, or fetched if unknown, older than a day or `isFresh`. If fetching fails, the stored actor;
   * undefined if there is none. `isSought`: a local user looks it up; then its pinned statuses are read after its account is opened.
   */
  byUri(uri: string, options?: { readonly isFresh?: boolean; readonly isSought?: boolean }): Promise<RemoteActor | undefined>
  /** The stored actors among these; fetches nothing. */
  knownByUris(uris: readonly string[]): Promise<readonly RemoteActor[]>
  byAccountIds(accountIds: readonly string[]): Promise<readonly RemoteActor[]>
  /** Whether an actor with an account is suspended, by staff or by their own server. */
  isSuspended(actor: Pick<RemoteActor, 'uri'>): Promise<boolean>
  /** Stores an actor from an authentic document: fetched from the host of its id, or sent by the actor and signed. */
  store(document: JsonObject): Promise<RemoteActor | undefined>
  /** Deletes an actor and its account; nothing is delivered to it any more. */
  remove(uri: string): Promise<void>
}

/** An outgoing activity: one payload, and one delivery for each inbox. */
export type Outbound = {
  /** The id of the activity. Together with an inbox it is the key of a delivery, which makes repeated calls idempotent. */
  readonly activityId: string
  /** The account of this server whose key signs; empty for the server's own. */
  readonly senderId: string
  /** Remote recipients; those with the same shared inbox get one delivery. */
  readonly accountIds?: readonly string[]
  readonly inboxes?: readonly string[]
  readonly payload: Buffer
  /** Whether it is for the sender's followers only: each delivery has a digest of those on its host (FEP-8fcf). */
  readonly isForFollowers?: boolean
  /** Whether it ends a follow: it is delivered even to suspended domains, which would otherwise keep the follow. */
  readonly endsFollow?: boolean
}

/** Adds deliveries and their jobs, with the transaction. Those of one host are sent in the order of the calls. */
export type Deliver = (tx: Tx<FederationTables>, outbound: Outbound) => Promise<void>

/** The metadata of a received activity. */
export type ActivityContext = {
  readonly receivedAt: Date
  /** The username of the inbox that received it; empty for the shared inbox. */
  readonly inboxOf: string
  /** The number of earlier attempts. */
  readonly attempt: number
  /**
   * Whether the signer forwarded an activity of another actor: then its content is not authenticated and must be fetched from its origin. The
   * `actor` argument is the signer.
   */
  readonly isForwarded: boolean
  /** Aborts at the deadline of the activity. */
  readonly signal: AbortSignal
  /** Whether the signer sent an activity with this id before, within the time that activities are remembered. */
  readonly hasArrived: (id: string) => Promise<boolean>
}

/**
 * Handles a received activity; `actor` signed the request, and may have no account yet. Called at least once for each id, with the activities of one
 * actor in order. An activity that throws is retried, unless the failure is final, and then marked as failed.
 */
export type OnActivity = (activity: JsonObject, actor: RemoteActor, context: ActivityContext) => Promise<void>

/** A request for a collection of a local account. */
export type CollectionRequest = {
  readonly username: string
  readonly kind: 'outbox' | 'followers' | 'following' | 'featured' | 'featuredTags'
  /** Whether a page of it is requested, which starts below `maxId`. */
  readonly isPage: boolean
  readonly maxId: string
  /** The remote account that requests an outbox, for which it is filtered; empty for an unknown one. */
  readonly askerId: string
}

/** Documents of local accounts and their statuses; undefined if there is none that the asker may see. */
export type Documents = {
  /** The server's own actor. */
  renderServerActor(): Promise<JsonObject>
  /** The outbox of the server's own actor, which is always empty. */
  renderServerOutbox(): JsonObject
  renderActor(username: string): Promise<JsonObject | undefined>
  renderCollection(request: CollectionRequest): Promise<JsonObject | undefined>
  /** The object of a status, if the asking remote account may see it; without an account, only public and unlisted ones. */
  renderStatus(request: { username: string; id: string; askerId: string }): Promise<JsonObject | undefined>
  /** The activity that published a status or boost. */
  renderActivity(request: { username: string; id: string; askerId: string }): Promise<JsonObject | undefined>
  /** The approval of a quote of this account's status by the status with this id (FEP-044f). */
  renderQuoteAuthorization(request: { username: string; id: string }): Promise<JsonObject | undefined>
  /** The followers of an account on a host, for an actor of that host (FEP-8fcf). */
  renderFollowersAt(request: { username: string; host: string }): Promise<JsonObject | undefined>
  renderReplies(request: { username: string; id: string; askerId: string; isPage: boolean }): Promise<JsonObject | undefined>
  /** The collection with the number of favourites or boosts of a status. */
  renderCounts(request: { username: string; id: string; askerId: string; kind: 'likes' | 'shares' }): Promise<JsonObject | undefined>
}

/** The interface of the vocabulary. */
export type Vocabulary = Documents & {
  readonly onActivity: OnActivity
  /** Consumers of our own events, which send activities. */
  // biome-ignore lint/suspicious/noExplicitAny: consumers are of one service's tables
  readonly consumers: readonly Consumer<any>[]
  /** Jobs that consumers and activities add. */
  readonly jobs: readonly Job[]
  /** Stores the status in a fetched document, for search, and returns its id; empty if the document is no status. */
  resolveStatus(document: JsonObject, url: string): Promise<string>
  /** The id of a status stored here under one of these uris, regardless of who may see it; empty if there is none. Fetches nothing. */
  knownStatus(uris: readonly string[]): Promise<string>
  /** Starts fetching the replies to a remote status in the background, when a user opens its thread. */
  openThread(uri: string): Promise<void>
  /** Sends the new key of a local account, or of the server itself if the id is empty, to other servers. */
  announceActor(accountId: string, version: string): Promise<void>
}

/** Parses an actor's document; undefined if it is no actor or lacks a required property. Pure. */
export type ReadActorDocument = (document: JsonObject) => ReadActor | undefined

/** The reason why a document cannot be fetched. `gone` and `missing` are answers of its server. */
export type DocumentFault = 'unauthorized' | 'forbidden' | 'missing' | 'gone' | 'refused' | 'invalid' | 'busy' | 'unreachable'

/** A document cannot be fetched or read. */
export class DocumentError extends Error {
  readonly fault: DocumentFault

  constructor(fault: DocumentFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'DocumentError'
    this.fault = fault
  }

  /** Whether a retry may succeed. */
  get mayPass(): boolean {
    return this.fault === 'busy' || this.fault === 'unreachable'
  }
}

/** The interface of the wire, for the vocabulary. */
export type Wire = {
  readonly fetchDocument: FetchDocument
  readonly actors: Actors
  readonly deliver: Deliver
  /** The public key of a local account, in PEM; generated on first use. */
  publicKeyOf(accountId: string): Promise<string>
  /** The followers of a local account on a host. */
  followersAt(accountId: string, host: string): Promise<string[]>
}

/** Creates the vocabulary on a wire. */
export type CreateVocabulary = (wire: Wire) => Vocabulary

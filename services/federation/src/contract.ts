import type { RemoteProfile } from '@rookery/contracts/statuses'
import type { Tx } from '@rookery/database'
import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import type { FederationTables } from './database/schema.ts'

/**
 * What the two halves of this service need of each other: the wire (signatures, keys, fetches, inboxes, deliveries) and the vocabulary
 * (JSON as values, what an activity does, what an event of ours sends).
 */

/** An object of ActivityStreams as plain JSON, without any JSON-LD processing. */
export type JsonObject = { readonly [name: string]: unknown }

/** A document and where it came from in the end. Its reader checks that its id is on the host of that address. */
export type FetchedDocument = { readonly url: string; readonly document: JsonObject }

/**
 * Fetches a document of another server, as activity JSON: at most 1 MB, 10 s, 3 redirects, public addresses only, signed by an account of
 * this server or by the server itself. @throws DocumentError
 */
export type FetchDocument = (
  url: string,
  options?: { readonly signedBy?: string; readonly signal?: AbortSignal },
) => Promise<FetchedDocument>

/** A person of another server, as this service keeps them. */
export type RemoteActor = {
  readonly uri: string
  /** Of statuses; empty while no account was opened for them. */
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

/** What an actor's document says, as the vocabulary reads it. */
export type ReadActor = Pick<
  RemoteActor,
  'uri' | 'inbox' | 'sharedInbox' | 'followersUri' | 'featuredUri' | 'outboxUri' | 'keyId' | 'publicKeyPem'
> & {
  readonly profile: RemoteProfile
  readonly followingUri: string
  readonly featuredTagsUri: string
  /** An Ed25519 key that they have besides; empty for none. */
  readonly proofKeyId: string
  readonly proofPublicKeyPem: string
}

/** Remote people by what identifies them. Actors of suspended domains are never fetched, and are undefined even where they are known. */
export type Actors = {
  /**
   * The actor with an account in statuses: as known, or fetched where unknown or last read more than a day ago. One that cannot be read now
   * is the one that is known, if any. Undefined where there is none. `isFresh` reads it again whatever its age. `isSought`: a person of this server
   * looks for it, and what it pinned is read once it is known.
   */
  byUri(uri: string, options?: { readonly isFresh?: boolean; readonly isSought?: boolean }): Promise<RemoteActor | undefined>
  /** Those that are known, without any fetch. */
  knownByUris(uris: readonly string[]): Promise<readonly RemoteActor[]>
  byAccountIds(accountIds: readonly string[]): Promise<readonly RemoteActor[]>
  /** Whether an actor with an account is suspended, by staff or by their own server. */
  isSuspended(actor: Pick<RemoteActor, 'uri'>): Promise<boolean>
  /** Keeps what a document says that its own server gave: fetched from the host of its id, or sent by the actor under its signature. */
  store(document: JsonObject): Promise<RemoteActor | undefined>
  /** The actor is deleted: its account goes, and nothing is delivered to it. */
  remove(uri: string): Promise<void>
}

/** What goes out: one payload, and one delivery for each inbox. */
export type Outbound = {
  /** The id of the activity: with an inbox it names a delivery, so that the same call twice writes the same rows. */
  readonly activityId: string
  /** The account of this server whose key signs; empty for the server's own. */
  readonly senderId: string
  /** Accounts of other servers: their shared inboxes are joined. */
  readonly accountIds?: readonly string[]
  readonly inboxes?: readonly string[]
  readonly payload: Buffer
  /** It is for the followers of its sender alone: each delivery says who those are on its host, as a digest (FEP-8fcf). */
  readonly isForFollowers?: boolean
  /** It ends a follow: servers that staff suspended are told so too, or they would go on believing in it. */
  readonly endsFollow?: boolean
}

/** Writes deliveries and what sends them in the transaction. Those of one host are sent in the order of the calls. */
export type Deliver = (tx: Tx<FederationTables>, outbound: Outbound) => Promise<void>

/** What is known of a received activity besides its content. */
export type ActivityContext = {
  readonly receivedAt: Date
  /** The username whose inbox it came to; empty for the shared one. */
  readonly inboxOf: string
  /** How often it was tried before. */
  readonly attempt: number
  /**
   * The activity is another actor's, forwarded by the one who signed: nothing in it is proven, and only what its origin says counts. The
   * actor that is handed over is the one who signed.
   */
  readonly isForwarded: boolean
  /** Aborts when the activity has taken as long as it may. */
  readonly signal: AbortSignal
}

/**
 * Does what an activity says. The actor has signed it, is whom it names, and has an account; its id is on the actor's host. Called at least once for each id, the
 * activities of one actor in their order; what it throws is tried again, and at last filed.
 */
export type OnActivity = (activity: JsonObject, actor: RemoteActor, context: ActivityContext) => Promise<void>

/** What a remote server asks of a person of this server. */
export type CollectionRequest = {
  readonly username: string
  readonly kind: 'outbox' | 'followers' | 'following' | 'featured' | 'featuredTags'
  /** Whether a page of it is wanted, and where that begins. */
  readonly isPage: boolean
  readonly maxId: string
  /** The remote account that asks for an outbox, which lacks what they may not see; empty for a stranger. */
  readonly askerId: string
}

/** Documents about this server's people and their statuses; undefined for what there is not, or not for the asker. */
export type Documents = {
  /** The server's own actor. */
  renderServerActor(): Promise<JsonObject>
  renderActor(username: string): Promise<JsonObject | undefined>
  renderCollection(request: CollectionRequest): Promise<JsonObject | undefined>
  /** A status as its object, to the remote account that asks; only what everyone may see when that is empty. */
  renderStatus(request: { username: string; id: string; askerId: string }): Promise<JsonObject | undefined>
  /** The activity that made a status or boost. */
  renderActivity(request: { username: string; id: string; askerId: string }): Promise<JsonObject | undefined>
  /** What approves the quote of a status of this person's by the status with this id (FEP-044f). */
  renderQuoteAuthorization(request: { username: string; id: string }): Promise<JsonObject | undefined>
  /** Those of a host who follow a person, for an actor of that host (FEP-8fcf). */
  renderFollowersAt(request: { username: string; host: string }): Promise<JsonObject | undefined>
  renderReplies(request: { username: string; id: string; askerId: string; isPage: boolean }): Promise<JsonObject | undefined>
  /** How often a status was favourited or boosted. */
  renderCounts(request: { username: string; id: string; askerId: string; kind: 'likes' | 'shares' }): Promise<JsonObject | undefined>
}

/** What the vocabulary gives. */
export type Vocabulary = Documents & {
  readonly onActivity: OnActivity
  /** Reactions to our own events, which deliver. */
  // biome-ignore lint/suspicious/noExplicitAny: consumers are of one service's tables
  readonly consumers: readonly Consumer<any>[]
  /** Due work of what those reactions wrote down. */
  readonly jobs: readonly Job[]
  /** A status by its uri, for those who search for it; empty when there is none. */
  resolveStatus(document: JsonObject, url: string): Promise<string>
  /** The first of these uris that is a status known here, regardless of who may see it; empty when none is. Fetches nothing. */
  knownStatus(uris: readonly string[]): Promise<string>
  /** Has the replies to a status of another server fetched in the background, for someone who reads its thread. */
  openThread(uri: string): Promise<void>
  /** Tells other servers that an account of this server, or the server itself where the id is empty, has another key. */
  announceActor(accountId: string, version: string): Promise<void>
}

/** Reads an actor's document; undefined for what is none, or says less than an actor must. Pure. */
export type ReadActorDocument = (document: JsonObject) => ReadActor | undefined

/** Why a document cannot be had. `gone` and `missing` are answers of its server; `mayPass` ones may do better later. */
export type DocumentFault = 'unauthorized' | 'forbidden' | 'missing' | 'gone' | 'refused' | 'invalid' | 'busy' | 'unreachable'

/** A document cannot be had. */
export class DocumentError extends Error {
  readonly fault: DocumentFault

  constructor(fault: DocumentFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'DocumentError'
    this.fault = fault
  }

  /** Whether asking again later may do better. */
  get mayPass(): boolean {
    return this.fault === 'busy' || this.fault === 'unreachable'
  }
}

/** What the wire gives the vocabulary. */
export type Wire = {
  readonly fetchDocument: FetchDocument
  readonly actors: Actors
  readonly deliver: Deliver
  /** The public key of an account of this server, in PEM; made when it is first asked for. */
  publicKeyOf(accountId: string): Promise<string>
  /** The followers that an account of this server has on a host. */
  followersAt(accountId: string, host: string): Promise<string[]>
}

/** Makes the vocabulary on a wire. */
export type CreateVocabulary = (wire: Wire) => Vocabulary

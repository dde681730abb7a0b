import type { Database } from '@rookery/database'
import { Failure, unavailable } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import { isKeyOf, type Signers } from '../actors/index.ts'
import { type Actors, DocumentError, type JsonObject, type RemoteActor } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { together } from '../database/together.ts'
import { jsonObjectOf } from '../documents/index.ts'
import { readSynchronisation } from '../followers/index.ts'
import { hostOf, isSameHost } from '../host.rules.ts'
import { noteSigns } from '../hosts/index.ts'
import { type MaySpeak, nameOfHost } from '../policy/index.ts'
import {
  type Headers,
  headerOf,
  isSignedBy,
  type ReadSignature,
  readSignature,
  SignatureError,
  type SignedMessage,
} from '../signatures/index.ts'
import { type Envelope, envelopeOf } from './activity.rules.ts'
import type { InboxCounts } from './inbox.metrics.ts'
import { addReceived } from './received.store.ts'

type ReceiveDeps = {
  database: Database<FederationTables>
  actors: Pick<Actors, 'knownByUris'> & Signers
  maySpeak: MaySpeak
  counts: InboxCounts
  clock: Clock
  config: { baseUrl: string }
  /** Counts an activity against the rate limit of a host; an amount of 0 only checks the limit. @throws Failure above the limit */
  countHost(host: string, amount: 0 | 1): Promise<void>
}

/** The result of receiving an activity: `ignored` ones were dropped before their signature was checked. */
export type Reception = 'taken' | 'ignored'

/** A request to an inbox. */
export type InboxRequest = {
  readonly target: string
  readonly headers: Headers
  readonly body: Buffer
  readonly inboxOf: string
}

/** A request without a valid signature of the actor that it names (RFC 9110, 15.5.2). */
export const unsigned = (cause: string): Failure => new Failure('unauthenticated', 'Request not signed', { cause })

const malformed = (cause: string) => new Failure('malformed', 'The activity is not understood', { cause })

/** @throws Failure malformed */
const activityOf = (body: Buffer): JsonObject => {
  const activity = jsonObjectOf(body)
  if (!activity) throw malformed('no object of an activity')
  return activity
}

/** Reads the signature of a request. @throws Failure unauthenticated */
export const signatureOf = (message: SignedMessage, now: number): ReadSignature => {
  try {
    return readSignature(message, now)
  } catch (error) {
    if (error instanceof SignatureError) throw unsigned(error.message)
    throw error
  }
}

/**
 * The failure of a request whose key cannot be fetched. If too many keys are being fetched, the sender should retry: the request may be
 * valid.
 */
const withoutKey = (error: unknown): never => {
  if (!(error instanceof DocumentError)) throw error
  throw error.fault === 'busy' ? unavailable(error) : unsigned(`the key cannot be had: ${error.fault}`)
}

/**
 * Verifies a request's signature and returns the owner of its key, which is fetched again once when it does not verify. @throws Failure
 * unauthenticated, unavailable when too many keys are fetched
 */
export const signerOf = async (actors: Signers, signature: ReadSignature): Promise<RemoteActor> => {
  const owner = await actors.byKeyId(signature.keyId).catch(withoutKey)
  if (!owner) throw unsigned('the key has no owner')
  if (isSignedBy(signature, owner.publicKeyPem)) return owner
  const newer = await actors.withNewKey(owner).catch(withoutKey)
  if (newer && isKeyOf(newer, signature.keyId) && isSignedBy(signature, newer.publicKeyPem)) return newer
  throw unsigned('the signature is not of its key')
}

/** Whether this is the deletion of an unknown actor: servers send deletions of accounts to all servers that they know. */
const isOfNoConcern = async (actors: Pick<Actors, 'knownByUris'>, { type, actorUri }: Envelope): Promise<boolean> =>
  type === 'Delete' && (await actors.knownByUris([actorUri])).length === 0

/** The job payload for a comparison of followers, from the digest that the signer's server sent (FEP-8fcf); null without a valid one. */
const comparisonOf = (actor: RemoteActor, headers: Headers): string | null => {
  const said = readSynchronisation(headerOf({ headers }, 'collection-synchronization'))
  if (!said || !actor.accountId || said.collectionId !== actor.followersUri || !isSameHost(said.url, actor.uri)) return null
  return JSON.stringify({ actorUri: actor.uri, url: said.url, digest: said.digest })
}

type Verified = { envelope: Envelope; actor: RemoteActor; request: InboxRequest }

const keyOf = ({ id, actorUri }: { id: string; actorUri: string }): string => JSON.stringify([id, actorUri])

/**
 * Stores activities in batches, with their processing jobs, the peers that sent them and the comparisons of followers. Resolves to true for
 * new activities.
 */
const keepTogether = ({ database, clock }: Pick<ReceiveDeps, 'database' | 'clock'>) =>
  together<Verified, boolean>(async (verified) => {
    const added = await addReceived(database, {
      ids: verified.map(({ envelope }) => envelope.id),
      actorUris: verified.map(({ actor }) => actor.uri),
      inboxesOf: verified.map(({ request }) => request.inboxOf),
      bodies: verified.map(({ request }) => request.body.toString()),
      peers: verified.map(({ actor }) => nameOfHost(actor.domain)),
      comparisons: verified.map(({ actor, request }) => comparisonOf(actor, request.headers)),
      now: new Date(clock.now()),
    })
    const keys = new Set(added.map(keyOf))
    // Of duplicates in a batch, only the first is new.
    return new Map(verified.map((each) => [each, keys.delete(keyOf({ id: each.envelope.id, actorUri: each.actor.uri }))]))
  })

/**
 * Receives an activity: checks signature and form, and stores it together with its processing job in one statement. Repeats and deletions
 * of unknown actors are ignored; servers that we do not federate with are refused. The signer may differ from the actor: the activity is
 * then processed as a forwarded one. @throws Failure unauthenticated, malformed, forbidden, exhausted, unavailable
 */
export const receiveActivity = (deps: ReceiveDeps) => {
  const { database, actors, counts, clock, config } = deps
  const own = new URL(config.baseUrl)
  const keep = keepTogether(deps)
  /** The host of the signing key. @throws Failure if it may not send */
  const senderOf = async ({ keyId }: ReadSignature): Promise<string> => {
    const host = hostOf(keyId)
    if (!host || host === own.host) throw unsigned('the key is of no other server')
    await deps.countHost(host, 0)
    if (!(await deps.maySpeak(host))) throw new Failure('forbidden', 'Forbidden', { cause: 'a server that this one does not speak with' })
    return host
  }
  return async (request: InboxRequest): Promise<Reception> => {
    const { target, headers, body } = request
    const message: SignedMessage = { method: 'POST', url: own, target, headers, body }
    const signature = signatureOf(message, clock.now())
    const host = await senderOf(signature)
    const activity = activityOf(body)
    const envelope = envelopeOf(activity, body)
    if (!envelope) throw malformed('no activity')
    if (await isOfNoConcern(actors, envelope)) {
      counts.ignored++
      return 'ignored'
    }
    const actor = await signerOf(actors, signature)
    if (hostOf(actor.uri) !== host) throw unsigned('the key is of another server than its owner')
    // Counted only after verification: a forged host name must not use up that host's limit.
    await deps.countHost(host, 1)
    const isNew = await keep({ envelope, actor, request })
    counts[isNew ? 'accepted' : 'repeated']++
    if (isNew && signature.kind === 'rfc9421') await noteSigns(database.db, actor.domain, 'rfc9421')
    return 'taken'
  }
}

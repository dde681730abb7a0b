import type { RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { JsonObject, ReadActor, ReadActorDocument } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { orUndefined } from '../documents/index.ts'
import { hostOf, isSameHost } from '../host.rules.ts'
import { ownCall } from '../own-call.ts'
import type { ApplyNewLimits } from '../policy/index.ts'
import { COUNTS_EVERY, isSound } from './actor.rules.ts'
import { actorOf, claimCounts, readByUris, type StoredActor, writeAccountId, writeActor } from './actor.store.ts'

type Handle = { readonly username: string; readonly domain: string }

export type KeepDeps = {
  database: Database<FederationTables>
  remoteAccounts: Client<RemoteAccountsDefinition>
  readActor: ReadActorDocument
  /** Looks up the actor of a handle, confirmed by the domain of the handle. */
  confirmHandle: (handle: Handle) => Promise<{ handle: Handle; actorUri: string } | undefined>
  applyNewLimits: ApplyNewLimits
  clock: Clock
}

/** Maximum length of a stored document of an actor without an account, in characters; a longer one is fetched again when an account is opened. */
const MAX_DOCUMENT = 64 * 1024

/** The job that reads an actor's numbers of followers, followed accounts and posts. */
export const READ_COUNTS = 'read-counts'

/** The job that reads an actor's featured tags. */
export const READ_FEATURED_TAGS = 'read-featured-tags'

/** Debounce of reading featured tags after a received profile, in milliseconds. */
const TAGS_WAIT = 60_000

/** Reads a stored actor. */
export const storedActor = async (database: Database<FederationTables>, uri: string): Promise<StoredActor | undefined> => {
  const [row] = await readByUris(database, { uris: [uri] })
  return row && actorOf(row)
}

/**
 * The domain of an actor's handle: by default the host of its id, or the domain that WebFinger at that host names and that domain confirms. A known
 * domain stays. A handle with another username than the actor's is ignored.
 */
const handleOf = async (
  deps: KeepDeps,
  { uri, profile }: ReadActor,
  known: StoredActor | undefined,
): Promise<{ domain: string; replacesHandle: boolean }> => {
  const domain = hostOf(uri)!
  if (known?.accountId && known.handleDomain) return { domain: known.handleDomain, replacesHandle: false }
  const confirmed = await orUndefined(deps.confirmHandle({ username: profile.username, domain }))
  const isTheirs = confirmed?.actorUri === uri && confirmed.handle.username.toLowerCase() === profile.username.toLowerCase()
  return isTheirs ? { domain: confirmed.handle.domain, replacesHandle: true } : { domain, replacesHandle: false }
}

/** Opens or updates the account of an actor in statuses. @throws Failure if statuses refuses it */
export const openAccount = async (deps: KeepDeps, read: ReadActor, { isFetched }: { isFetched: boolean }): Promise<void> => {
  const { uri, followingUri, featuredTagsUri } = read
  const known = await storedActor(deps.database, uri)
  const handle = await handleOf(deps, read, known)
  if (!known?.accountId) await deps.applyNewLimits(handle.domain)
  const { id } = await deps.remoteAccounts.store(ownCall(), { ...read.profile, ...handle })
  await transact(deps.database.db, async (tx) => {
    await writeAccountId(tx, { uri, accountId: id, handleDomain: handle.domain })
    const now = deps.clock.now()
    const isDue = await claimCounts(tx, { uri, now: new Date(now), before: new Date(isFetched ? now : now - COUNTS_EVERY) })
    if (isDue) await addJob(tx, 'federation', READ_COUNTS, { uri, followingUri }, { key: `${READ_COUNTS}:${uri}` })
    if (!featuredTagsUri || !isSameHost(featuredTagsUri, uri)) return
    const waits = isFetched ? {} : { runAt: new Date(now + TAGS_WAIT), keepsTime: true }
    await addJob(tx, 'federation', READ_FEATURED_TAGS, { uri, featuredTagsUri }, { key: `${READ_FEATURED_TAGS}:${uri}`, ...waits })
  })
}

/** Stores an actor from its document. Calls statuses only if the actor has an account, or `hasAccount` requires one. */
export const keepActor = async (
  deps: KeepDeps,
  document: JsonObject,
  { hasAccount, isFetched = true }: { hasAccount: boolean; isFetched?: boolean },
): Promise<StoredActor | undefined> => {
  const { database, clock } = deps
  const read = deps.readActor(document)
  if (!read || !isSound(read)) return undefined
  const { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem } = read
  const proofs = { proofKeyId: read.proofKeyId || null, proofPublicKeyPem: read.proofPublicKeyPem || null }
  const columns = { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem, ...proofs }
  const known = await storedActor(database, uri)
  const opensAccount = hasAccount || Boolean(known?.accountId)
  const text = opensAccount ? '' : JSON.stringify(document)
  const kept = text.length > MAX_DOCUMENT ? '' : text
  await writeActor(database.db, { ...columns, domain: hostOf(uri)!, document: kept, fetchedAt: new Date(clock.now()) })
  if (opensAccount) await openAccount(deps, read, { isFetched })
  return storedActor(database, uri)
}

import type { RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import {
  type Actors,
  DocumentError,
  type FetchDocument,
  type FetchedDocument,
  type JsonObject,
  type ReadActor,
  type ReadActorDocument,
  type RemoteActor,
} from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { hostOf, isSameHost } from '../host.rules.ts'
import { ownCall } from '../own-call.ts'
import type { MaySpeak } from '../policy/index.ts'
import { isSound, KEY_CHECK_EVERY, MAX_AGE } from './actor.rules.ts'
import {
  actorOf,
  claimKeyCheck,
  readByAccountIds,
  readByKeyId,
  readByProofKeyId,
  readByUris,
  removeActor,
  type StoredActor,
  withKey,
  writeAccountId,
  writeActor,
  writeGone,
} from './actor.store.ts'
import { keyGate } from './key-gate.ts'

type ActorsDeps = {
  database: Database<FederationTables>
  remoteAccounts: Client<RemoteAccountsDefinition>
  fetchDocument: FetchDocument
  readActor: ReadActorDocument
  maySpeak: MaySpeak
  /** Who has a handle, confirmed both ways. */
  confirmHandle: (handle: { username: string; domain: string }) => Promise<{ handle: { domain: string }; actorUri: string } | undefined>
  clock: Clock
}

/** Besides what the vocabulary needs: the owners of keys, who need no account here. */
export type KeyOwners = {
  /** The owner of a key, fetched when unknown. Undefined where it cannot be had. */
  byKeyId(keyId: string): Promise<RemoteActor | undefined>
  /** The owner read again, because a signature did not fit the key that is known; undefined when that was done a moment ago. */
  withNewKey(actor: RemoteActor): Promise<RemoteActor | undefined>
  /** Opens the account of an actor in statuses where there is none. */
  withAccount(actor: RemoteActor): Promise<RemoteActor | undefined>
}

/** A longer document of someone without an account is fetched again when they get one, in characters. */
const MAX_DOCUMENT = 64 * 1024

const withoutFragment = (address: string) => address.split('#', 1)[0]!

/** The id of the actor that a key's document names as its owner, when the key is a document of its own. */
const ownerOf = ({ owner, publicKeyPem, controller }: JsonObject): string | undefined => {
  const named = typeof publicKeyPem === 'string' ? (owner ?? controller) : undefined
  return typeof named === 'string' ? named : undefined
}

/** Faults of documents are no faults of the caller's. */
const orUndefined = async <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })

/** The job that reads how many follow a person, whom they follow and what they posted. */
export const READ_COUNTS = 'read-counts'
/** The job that reads what a person pinned. */
export const READ_PINS = 'read-pins'

/** Has what a person of another server pinned read in the background. */
export const readPinsLater = (tx: Tx<FederationTables>, uri: string): Promise<void> =>
  addJob(tx, 'federation', READ_PINS, { uri }, { key: `${READ_PINS}:${uri}` })

/** Remote people (`Actors`, `KeyOwners`): one table, filled from documents that their own servers give. */
export const createActors = (deps: ActorsDeps): Actors & KeyOwners => {
  const { database, remoteAccounts, fetchDocument, readActor, maySpeak, clock } = deps
  const withinKeys = keyGate()
  const stored = async (uri: string): Promise<StoredActor | undefined> => {
    const [row] = await readByUris(database, { uris: [uri] })
    return row && actorOf(row)
  }

  /** The domain of a person's handle: where the host of their id names another one that agrees, that one. It stays when it is known. */
  const handleOf = async ({ uri, profile }: ReadActor): Promise<{ domain: string; replacesHandle: boolean }> => {
    const known = await stored(uri)
    const domain = hostOf(uri)!
    if (known?.accountId && known.handleDomain) return { domain: known.handleDomain, replacesHandle: false }
    const confirmed = await orUndefined(deps.confirmHandle({ username: profile.username, domain }))
    return confirmed?.actorUri === uri ? { domain: confirmed.handle.domain, replacesHandle: true } : { domain, replacesHandle: false }
  }

  /** @throws Failure when statuses refuses the person */
  const openAccount = async (uri: string, read: ReadActor, { isFetched }: { isFetched: boolean }): Promise<void> => {
    const handle = await handleOf(read)
    const { id } = await remoteAccounts.store(ownCall(), { ...read.profile, ...handle })
    await transact(database.db, async (tx) => {
      await writeAccountId(tx, { uri, accountId: id, handleDomain: handle.domain })
      if (isFetched) await addJob(tx, 'federation', READ_COUNTS, { uri, followingUri: read.followingUri }, { key: `${READ_COUNTS}:${uri}` })
    })
  }

  /** Keeps an actor. Statuses is asked only for those who have, or are to have, an account. */
  const keep = async (
    document: JsonObject,
    { hasAccount, isFetched = true }: { hasAccount: boolean; isFetched?: boolean },
  ): Promise<StoredActor | undefined> => {
    const read = readActor(document)
    if (!read || !isSound(read)) return undefined
    const domain = hostOf(read.uri)!
    const { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem } = read
    const proofs = { proofKeyId: read.proofKeyId || null, proofPublicKeyPem: read.proofPublicKeyPem || null }
    const columns = { uri, inbox, sharedInbox, followersUri, featuredUri, outboxUri, keyId, publicKeyPem, ...proofs }
    const known = await stored(read.uri)
    const opensAccount = hasAccount || Boolean(known?.accountId)
    const text = opensAccount ? '' : JSON.stringify(document)
    const kept = text.length > MAX_DOCUMENT ? '' : text
    await writeActor(database.db, { ...columns, domain, document: kept, fetchedAt: new Date(clock.now()) })
    if (opensAccount) await openAccount(read.uri, read, { isFetched })
    return stored(read.uri)
  }

  /** What the actor's own server says. An id that is not what was asked for is asked for itself, once. */
  const fetchActor = async (address: string, found?: FetchedDocument): Promise<JsonObject | undefined> => {
    const first = found ?? (await fetchDocument(address))
    const { id } = first.document
    if (typeof id !== 'string') return undefined
    if (withoutFragment(first.url) === withoutFragment(id) || (isSameHost(first.url, id) && withoutFragment(address) === id))
      return first.document
    const own = await fetchDocument(id)
    return own.document['id'] === id && isSameHost(own.url, id) ? own.document : undefined
  }

  const markGone = async (uri: string, error: unknown): Promise<void> => {
    if (error instanceof DocumentError && error.fault === 'gone') await writeGone(database.db, uri, new Date(clock.now()))
  }

  const refreshed = async (known: StoredActor, options: { hasAccount: boolean }): Promise<StoredActor | undefined> => {
    try {
      const document = await fetchActor(known.uri)
      return document?.['id'] === known.uri ? await keep(document, options) : undefined
    } catch (error) {
      await markGone(known.uri, error)
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }

  const withAccount = async (actor: RemoteActor): Promise<RemoteActor | undefined> => {
    if (actor.accountId) return actor
    const known = await stored(actor.uri)
    if (!known || known.accountId) return known
    const document = known.document ? (JSON.parse(known.document) as JsonObject) : await fetchActor(known.uri)
    const read = document && readActor(document)
    if (!read || read.uri !== known.uri) return undefined
    await openAccount(known.uri, read, { isFetched: true })
    return stored(known.uri)
  }

  const fetched = async (address: string, options: { hasAccount: boolean; found?: FetchedDocument }): Promise<StoredActor | undefined> => {
    const document = await fetchActor(address, options.found)
    return document && keep(document, options)
  }

  /** An actor that is known, read again where that is due or asked for. */
  const current = async (known: StoredActor, isFresh: boolean): Promise<RemoteActor | undefined> => {
    const isOld = known.fetchedAt.getTime() + MAX_AGE < clock.now()
    const newer = isOld || isFresh ? await refreshed(known, { hasAccount: true }) : undefined
    return newer ?? orUndefined(withAccount((await stored(known.uri)) ?? known))
  }

  /** The owner of a key that is not known: the key's document names them, or is theirs. */
  const ownerFetched = async (keyId: string): Promise<StoredActor | undefined> => {
    const found = await fetchDocument(keyId)
    const owner = ownerOf(found.document)
    if (owner && !isSameHost(owner, found.url)) return undefined
    const actor = owner ? await fetched(owner, { hasAccount: false }) : await fetched(keyId, { hasAccount: false, found })
    const signer = actor && withKey(actor, keyId)
    return signer?.keyId === keyId ? signer : undefined
  }

  return {
    async byUri(uri, { isFresh = false, isSought = false } = {}) {
      const host = hostOf(uri)
      if (!host || !(await maySpeak(host))) return undefined
      const known = await stored(uri)
      const actor = known ? await current(known, isFresh) : await orUndefined(fetched(uri, { hasAccount: true }))
      if (isSought && actor?.accountId && !known?.accountId) await transact(database.db, (tx) => readPinsLater(tx, actor.uri))
      return actor
    },
    async knownByUris(uris) {
      if (uris.length === 0) return []
      const rows = await readByUris(database, { uris })
      return rows.map(actorOf)
    },
    async byAccountIds(accountIds) {
      if (accountIds.length === 0) return []
      return (await readByAccountIds(database, { accountIds })).map(actorOf)
    },
    async store(document) {
      const { id } = document
      const host = typeof id === 'string' ? hostOf(id) : undefined
      if (!host || !(await maySpeak(host))) return undefined
      return keep(document, { hasAccount: true, isFetched: false })
    },
    async remove(uri) {
      const known = await stored(uri)
      if (!known) return
      await remoteAccounts.remove(ownCall(), { uri })
      await removeActor(database.db, uri)
    },
    withAccount,
    async byKeyId(keyId) {
      const host = hostOf(keyId)
      if (!host || !(await maySpeak(host))) return undefined
      const [row] = await readByKeyId(database, { keyId })
      const [owner] = row ? [row] : await readByProofKeyId(database, { keyId })
      if (owner) return withKey(actorOf(owner), keyId)
      return withinKeys(host, () => ownerFetched(keyId))
    },
    withNewKey: (actor) =>
      withinKeys(actor.domain, async () => {
        const now = clock.now()
        const isClaimed = await claimKeyCheck(database.db, { uri: actor.uri, now: new Date(now), before: new Date(now - KEY_CHECK_EVERY) })
        if (!isClaimed || !(await maySpeak(actor.domain))) return undefined
        const known = await stored(actor.uri)
        const newer = known && (await refreshed(known, { hasAccount: false }))
        return newer && withKey(newer, actor.keyId)
      }),
  }
}

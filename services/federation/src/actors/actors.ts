import { type Tx, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Actors, FetchDocument, JsonObject, RemoteActor } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { orUndefined } from '../documents/index.ts'
import { hostOf } from '../host.rules.ts'
import { ownCall } from '../own-call.ts'
import type { MaySpeak } from '../policy/index.ts'
import { MAX_AGE } from './actor.rules.ts'
import { actorOf, readByAccountIds, readByUris, removeActor, type StoredActor } from './actor.store.ts'
import { fetchActor } from './fetch-actor.ts'
import { type KeepDeps, keepActor, openAccount, storedActor } from './keep-actor.ts'
import { createKeyOwners, type KeyOwners } from './key-owners.ts'
import { readAgain } from './read-again.ts'

type ActorsDeps = KeepDeps & { fetchDocument: FetchDocument; maySpeak: MaySpeak }

/** The functions on actors that inboxes need in addition to those of the vocabulary. */
export type Signers = KeyOwners & {
  /** Opens an account in statuses for an actor that has none. */
  withAccount(actor: RemoteActor): Promise<RemoteActor | undefined>
}

/** The job that reads an actor's pinned statuses. */
export const READ_PINS = 'read-pins'

/** Adds the job that reads an actor's pinned statuses. */
export const readPinsLater = (tx: Tx<FederationTables>, uri: string): Promise<void> =>
  addJob(tx, 'federation', READ_PINS, { uri }, { key: `${READ_PINS}:${uri}` })

const withAccount = async (deps: ActorsDeps, actor: RemoteActor): Promise<RemoteActor | undefined> => {
  if (actor.accountId) return actor
  const known = await storedActor(deps.database, actor.uri)
  if (!known || known.accountId) return known
  const document = known.document ? (JSON.parse(known.document) as JsonObject) : await fetchActor(deps.fetchDocument, known.uri)
  const read = document && deps.readActor(document)
  if (!read || read.uri !== known.uri) return undefined
  await openAccount(deps, read, { isFetched: true })
  return storedActor(deps.database, known.uri)
}

/** A stored actor, refreshed if it is stale or `isFresh`. */
const current = async (deps: ActorsDeps, known: StoredActor, isFresh: boolean): Promise<RemoteActor | undefined> => {
  const isOld = known.fetchedAt.getTime() + MAX_AGE < deps.clock.now()
  const newer = isOld || isFresh ? await readAgain(deps, known, { hasAccount: true }) : undefined
  return newer ?? orUndefined(withAccount(deps, (await storedActor(deps.database, known.uri)) ?? known))
}

const fetched = async (deps: ActorsDeps, address: string): Promise<StoredActor | undefined> => {
  const document = await fetchActor(deps.fetchDocument, address)
  return document && keepActor(deps, document, { hasAccount: true })
}

/** Remote actors (`Actors`, `Signers`), stored in one table from documents of their own servers. */
export const createActors = (deps: ActorsDeps): Actors & Signers => {
  const { database, remoteAccounts, maySpeak } = deps
  return {
    ...createKeyOwners(deps),
    withAccount: (actor) => withAccount(deps, actor),
    async byUri(uri, { isFresh = false, isSought = false } = {}) {
      const host = hostOf(uri)
      if (!host || !(await maySpeak(host))) return undefined
      const known = await storedActor(database, uri)
      const actor = await (known ? current(deps, known, isFresh) : orUndefined(fetched(deps, uri)))
      if (isSought && actor?.accountId && !known?.accountId) await transact(database.db, (tx) => readPinsLater(tx, actor.uri))
      return actor
    },
    async knownByUris(uris) {
      return uris.length === 0 ? [] : (await readByUris(database, { uris })).map(actorOf)
    },
    async byAccountIds(accountIds) {
      return accountIds.length === 0 ? [] : (await readByAccountIds(database, { accountIds })).map(actorOf)
    },
    async isSuspended({ uri }) {
      return (await remoteAccounts.readByUris(ownCall(), { uris: [uri] })).accounts[0]?.isSuspended ?? false
    },
    async store(document) {
      const { id } = document
      const host = typeof id === 'string' ? hostOf(id) : undefined
      if (!host || !(await maySpeak(host))) return undefined
      return keepActor(deps, document, { hasAccount: true, isFetched: false })
    },
    async remove(uri) {
      if (!(await storedActor(database, uri))) return
      await remoteAccounts.remove(ownCall(), { uri })
      await removeActor(database.db, uri)
    },
  }
}

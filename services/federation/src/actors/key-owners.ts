import type { FetchDocument, JsonObject, RemoteActor } from '../contract.ts'
import { hostOf, isSameHost } from '../host.rules.ts'
import type { MaySpeak } from '../policy/index.ts'
import { KEY_CHECK_EVERY } from './actor.rules.ts'
import { actorOf, claimKeyCheck, readByKeyId, readByProofKeyId, type StoredActor, withKey } from './actor.store.ts'
import { fetchActor } from './fetch-actor.ts'
import { type KeepDeps, keepActor, storedActor } from './keep-actor.ts'
import { keyGate } from './key-gate.ts'
import { readAgain } from './read-again.ts'

type Deps = KeepDeps & { fetchDocument: FetchDocument; maySpeak: MaySpeak }

/** Finds the owners of keys; they need no account here. */
export type KeyOwners = {
  /** The owner of a key, fetched if unknown; undefined if that fails. The caller has checked that we federate with its server. */
  byKeyId(keyId: string): Promise<RemoteActor | undefined>
  /** The owner, fetched again because a signature did not match the known key; undefined if that was done a moment ago. */
  withNewKey(actor: RemoteActor): Promise<RemoteActor | undefined>
}

/** Whether a key belongs to an actor: it is the actor's known key, or the key id is the actor's uri (activitypub-express). */
export const isKeyOf = (actor: Pick<RemoteActor, 'uri' | 'keyId'>, keyId: string): boolean => actor.keyId === keyId || actor.uri === keyId

/** The id of the actor that a key document names as its owner; undefined if the document is not a key. */
const ownerOf = ({ owner, publicKeyPem, controller }: JsonObject): string | undefined => {
  const named = typeof publicKeyPem === 'string' ? (owner ?? controller) : undefined
  return typeof named === 'string' ? named : undefined
}

/** Fetches the owner of an unknown key: the key id leads to a document that names the owner, or to the owner's own document. */
const fetchOwner = async (deps: Deps, keyId: string): Promise<StoredActor | undefined> => {
  const found = await deps.fetchDocument(keyId)
  const owner = ownerOf(found.document)
  if (owner && !isSameHost(owner, found.url)) return undefined
  const document = owner ? await fetchActor(deps.fetchDocument, owner) : await fetchActor(deps.fetchDocument, keyId, found)
  const actor = document && (await keepActor(deps, document, { hasAccount: false }))
  const signer = actor && withKey(actor, keyId)
  return signer && isKeyOf(signer, keyId) ? signer : undefined
}

/** Finds the owners of keys in the database and on their servers. */
export const createKeyOwners = (deps: Deps): KeyOwners => {
  const { database, maySpeak, clock } = deps
  const withinKeys = keyGate()
  /**
   * Whether the keys of an actor may be fetched again now. This is rate limited, so that strangers cannot make us request a server at will.
   */
  const mayCheck = async (uri: string): Promise<boolean> => {
    const now = clock.now()
    return claimKeyCheck(database.db, { uri, now: new Date(now), before: new Date(now - KEY_CHECK_EVERY) })
  }
  /** Fetches the owner of an unknown key; rate limited if the owner is known. */
  const search = async (keyId: string): Promise<StoredActor | undefined> => {
    const [uri = ''] = keyId.split('#', 1)
    const known = uri === keyId ? undefined : await storedActor(database, uri)
    return known && !(await mayCheck(known.uri)) ? undefined : fetchOwner(deps, keyId)
  }
  return {
    async byKeyId(keyId) {
      const host = hostOf(keyId)
      if (!host) return undefined
      const [row] = await readByKeyId(database, { keyId })
      const [owner] = row ? [row] : await readByProofKeyId(database, { keyId })
      if (owner) return withKey(actorOf(owner), keyId)
      // Most key ids are fragments of the actor's document; only others may be the id of a known actor.
      const named = keyId.includes('#') ? undefined : await storedActor(database, keyId)
      return named ?? withinKeys(host, () => search(keyId))
    },
    withNewKey: (actor) =>
      withinKeys(actor.domain, async () => {
        if (!(await mayCheck(actor.uri)) || !(await maySpeak(actor.domain))) return undefined
        const known = await storedActor(database, actor.uri)
        const newer = known && (await readAgain(deps, known, { hasAccount: false }))
        return newer && withKey(newer, actor.keyId)
      }),
  }
}

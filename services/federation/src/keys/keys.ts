import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '@rookery/database'
import { type Encryption, encryption } from '@rookery/encryption'
import type { Clock, Secret } from '@rookery/runtime'
import type { ActorAddresses } from '../addresses.ts'
import type { FederationTables } from '../database/schema.ts'
import { addKey, addServerSecret, readKey, readServerSecrets, replaceKey, SERVER } from './key.store.ts'

const generate = promisify(generateKeyPair)

/** The signing keys of local accounts. An empty account id is the server itself. */
export type Keys = {
  /** The public key in PEM; the key pair is generated on first use. */
  publicKeyOf(accountId: string): Promise<string>
  /** The key id and private key of an account. */
  signerOf(accountId: string): Promise<Signer>
  /** Replaces the key pair of an account. Other servers fetch it when a signature no longer matches the old key. */
  rotate(accountId: string): Promise<void>
}

/** A private key, which never leaves the process, and the id of its public key. */
export type Signer = { readonly keyId: string; readonly privateKey: KeyObject }

type Deps = {
  database: Database<FederationTables>
  clock: Clock
  config: { encryptionKeys: readonly Secret[] }
  addresses: ActorAddresses
  /** The username of a local account. @throws Failure not_found */
  usernameOf(accountId: string): Promise<string>
}

const BITS = 2048
const SECRET_BYTES = 32
const PURPOSE = 'actor key'

/** Maximum cached key pairs: loading one costs a query and half a millisecond. */
const MAX_OPEN = 1000
/** How long a process may use a key after another process replaced it, in milliseconds. */
const OPEN_MILLISECONDS = 60_000

type Pair = { publicKeyPem: string; signer: Signer; openedAt: number }

const newPair = () =>
  generate('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/**
 * Encryption by the secrets of the settings, or by one that is generated once and stored in the database, and that still decrypts after
 * there are settings.
 */
const loadEncryption = async ({ database, config }: Deps): Promise<Encryption> => {
  const configured = config.encryptionKeys.map((key) => key.reveal())
  let kept = await readServerSecrets(database, {})
  if (configured.length === 0 && kept.length === 0) {
    await addServerSecret(database.db, 'encryption', randomBytes(SECRET_BYTES))
    kept = await readServerSecrets(database, {})
  }
  return encryption([...configured, ...kept.map(({ value }) => value.toString('base64url'))], PURPOSE)
}

/** Generates key pairs, and loads stored ones. */
const createPairs = (deps: Deps) => {
  const { database, clock } = deps
  let loading: Promise<Encryption> | undefined
  const encrypted = () => {
    loading ??= loadEncryption(deps).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  const make = async (accountId: string) => {
    const username = accountId === SERVER ? '' : await deps.usernameOf(accountId)
    const { publicKey, privateKey } = await newPair()
    return {
      accountId,
      username,
      publicKeyPem: publicKey,
      privateKey: (await encrypted()).encrypt(privateKey),
      createdAt: new Date(clock.now()),
    }
  }

  const load = async (accountId: string): Promise<Pair> => {
    let [row] = await readKey(database, { accountId })
    if (!row) {
      await addKey(database.db, await make(accountId))
      ;[row] = await readKey(database, { accountId })
    }
    const pem = (await encrypted()).decrypt(row!.privateKey)
    if (pem === undefined) throw new Error('A key in the database was encrypted with another ENCRYPTION_KEY: name it behind the new one.')
    const { username, publicKeyPem } = row!
    const keyId = username ? deps.addresses.key(username) : deps.addresses.serverKey
    return { publicKeyPem, signer: { keyId, privateKey: createPrivateKey(pem) }, openedAt: performance.now() }
  }

  return { make, load }
}

/** Caches key pairs, each with a TTL; at the maximum, the least recently loaded one is evicted. */
const keptOpen = (load: (accountId: string) => Promise<Pair>) => {
  const open = new Map<string, Promise<Pair>>()
  const get = async (accountId: string): Promise<Pair> => {
    const known = open.get(accountId)
    const pair = await known?.catch(() => undefined)
    if (pair && performance.now() - pair.openedAt < OPEN_MILLISECONDS) return pair
    // While this caller waited, another one may have begun to load.
    const begun = open.get(accountId)
    if (begun && begun !== known) return begun
    const loaded = load(accountId)
    open.delete(accountId)
    open.set(accountId, loaded)
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!)
    loaded.catch(() => open.get(accountId) === loaded && open.delete(accountId))
    return loaded
  }

  return { get, forget: (accountId: string) => void open.delete(accountId) }
}

/** The key pairs of local accounts: RSA with 2048 bits, generated once across processes, and encrypted in the database. */
export const createKeys = (deps: Deps): Keys => {
  const { make, load } = createPairs(deps)
  const { get, forget } = keptOpen(load)
  return {
    publicKeyOf: async (accountId) => (await get(accountId || SERVER)).publicKeyPem,
    signerOf: async (accountId) => (await get(accountId || SERVER)).signer,
    async rotate(account) {
      const accountId = account || SERVER
      await replaceKey(deps.database.db, await make(accountId))
      forget(accountId)
    },
  }
}

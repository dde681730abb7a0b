import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '@rookery/database'
import { type Encryption, encryption } from '@rookery/encryption'
import type { Clock, Secret } from '@rookery/runtime'
import type { ActorAddresses } from '../addresses.ts'
import type { FederationTables } from '../database/schema.ts'
import { addKey, addServerSecret, readKey, readServerSecrets, replaceKey, SERVER } from './key.store.ts'

const generate = promisify(generateKeyPair)

/** The keys that accounts of this server sign by. An account id of '' is the server itself. */
export type Keys = {
  /** The public key in PEM; the pair is made when it is first asked for. */
  publicKeyOf(accountId: string): Promise<string>
  /** What an account signs by. */
  signerOf(accountId: string): Promise<Signer>
  /** Puts a new pair in place of an account's. Other servers read it when the next signature does not fit the old one. */
  rotate(accountId: string): Promise<void>
}

/** A private key, which never leaves the process, and the id under which others find the public one. */
export type Signer = { readonly keyId: string; readonly privateKey: KeyObject }

type Deps = {
  database: Database<FederationTables>
  clock: Clock
  config: { encryptionKeys: readonly Secret[] }
  addresses: ActorAddresses
  /** The username of an account of this server. @throws Failure not_found */
  usernameOf(accountId: string): Promise<string>
}

const BITS = 2048
const SECRET_BYTES = 32
const PURPOSE = 'actor key'

/** Opened pairs that are kept: a key costs a statement and half a millisecond. */
const MAX_OPEN = 1000
/** How long a process goes on with a key that another one may have replaced, in milliseconds. */
const OPEN_MILLISECONDS = 60_000

type Pair = { publicKeyPem: string; signer: Signer; openedAt: number }

const newPair = () =>
  generate('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Secrets of the settings encrypt, or one that is made once and kept in the database. That one still decrypts once there are settings. */
const loadEncryption = async ({ database, config }: Deps): Promise<Encryption> => {
  const configured = config.encryptionKeys.map((key) => key.reveal())
  let kept = await readServerSecrets(database, {})
  if (configured.length === 0 && kept.length === 0) {
    await addServerSecret(database.db, 'encryption', randomBytes(SECRET_BYTES))
    kept = await readServerSecrets(database, {})
  }
  return encryption([...configured, ...kept.map(({ value }) => value.toString('base64url'))], PURPOSE)
}

/** Makes pairs, and reads those that are kept. */
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

/** Keeps pairs open, for a while and the last ones asked for. */
const keptOpen = (load: (accountId: string) => Promise<Pair>) => {
  const open = new Map<string, Promise<Pair>>()
  const get = async (accountId: string): Promise<Pair> => {
    const known = open.get(accountId)
    const pair = await known?.catch(() => undefined)
    if (pair && performance.now() - pair.openedAt < OPEN_MILLISECONDS) return pair
    // A caller that waited may find that another one has begun meanwhile.
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

/** The keys of this server's accounts: RSA of 2048 bits, made once however many processes ask, encrypted in the database. */
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

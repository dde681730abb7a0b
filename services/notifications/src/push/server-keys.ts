import { createECDH, randomBytes } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import { type Encryption, encryption } from '@rookery/encryption'
import type { Secret } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { addServerKey, lockServerKeys, readServerKeys } from './server-key.store.ts'

/** A pair of VAPID keys (RFC 8292), base64url. */
export type VapidKeys = { readonly publicKey: string; readonly privateKey: string }

/** The keys all replicas share. */
export type ServerKeys = {
  /** What clients subscribe with now. */
  readonly current: VapidKeys
  /** The pair of a public key that a subscription was made with, undefined when it was given up. */
  of(publicKey: string): VapidKeys | undefined
  readonly encryption: Encryption
}

type Deps = {
  database: Database<NotificationsTables>
  config: { vapidKeys: readonly Secret[]; encryptionKeys: readonly Secret[] }
}

const SECRET_BYTES = 32

/** The pair of a private key. */
const pairOf = (privateKey: Buffer): VapidKeys => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return { publicKey: curve.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') }
}

const newPair = (): VapidKeys => {
  const curve = createECDH('prime256v1')
  const publicKey = curve.generateKeys().toString('base64url')
  return { publicKey, privateKey: curve.getPrivateKey().toString('base64url') }
}

const revealed = (secrets: readonly Secret[]) => secrets.map((secret) => secret.reveal())

/** The kept values of a kind; the first to ask makes one. */
const keptOrMade = async (database: Database<NotificationsTables>, kind: string, make: () => { name: string; value: Buffer }) => {
  const kept = await readServerKeys(database.db, kind)
  if (kept.length > 0) return kept
  return transact(database.db, async (tx) => {
    await lockServerKeys(tx)
    const made = await readServerKeys(tx, kind)
    if (made.length > 0) return made
    const key = make()
    await addServerKey(tx, key.name, key.value)
    return [key]
  })
}

/** Settings give the keys, or they are made once and kept in the database. A kept VAPID key goes on serving the subscriptions made with it. */
const loadServerKeys = async ({ database, config }: Deps): Promise<ServerKeys> => {
  const secrets =
    config.encryptionKeys.length > 0
      ? revealed(config.encryptionKeys)
      : (await keptOrMade(database, 'encryption', () => ({ name: 'encryption', value: randomBytes(SECRET_BYTES) }))).map(({ value }) =>
          value.toString('base64url'),
        )
  const vapidEncryption = encryption(secrets, 'vapid')
  const given = revealed(config.vapidKeys).map((key) => pairOf(Buffer.from(key, 'base64url')))
  const encrypted = () => {
    const { publicKey, privateKey } = newPair()
    return { name: `vapid:${publicKey}`, value: vapidEncryption.encrypt(privateKey) }
  }
  const kept = given.length > 0 ? await readServerKeys(database.db, 'vapid') : await keptOrMade(database, 'vapid', encrypted)
  const stored = kept.flatMap(({ value }) => {
    const privateKey = vapidEncryption.decrypt(value)
    return privateKey === undefined ? [] : [pairOf(Buffer.from(privateKey, 'base64url'))]
  })
  const all = [...given, ...stored]
  const [current] = all
  if (!current) throw new Error('The VAPID keys in the database were encrypted with another ENCRYPTION_KEY: name it behind the new one.')
  return {
    current,
    of: (publicKey) => all.find((pair) => pair.publicKey === publicKey),
    encryption: encryption(secrets, 'push subscription'),
  }
}

/** The keys, read when they are first needed; a read that failed is tried again. */
export const serverKeys = (deps: Deps): (() => Promise<ServerKeys>) => {
  let loading: Promise<ServerKeys> | undefined
  return () => {
    loading ??= loadServerKeys(deps).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

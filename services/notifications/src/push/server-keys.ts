import { createECDH, randomBytes } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import { type Encryption, encryption } from '@rookery/encryption'
import type { Secret } from '@rookery/runtime'
import webPush from 'web-push'
import type { NotificationsTables } from '../database/schema.ts'
import { addServerKey, lockServerKeys, readServerKeys } from './server-key.store.ts'

/** A pair of VAPID keys (RFC 8292), base64url. */
export type VapidKeys = { readonly publicKey: string; readonly privateKey: string }

/** The keys that all replicas share. */
export type ServerKeys = {
  /** The pair for new subscriptions. */
  readonly current: VapidKeys
  /** The pair of a public key, for the subscriptions made with it; undefined if it was removed. */
  of(publicKey: string): VapidKeys | undefined
  readonly encryption: Encryption
}

type Deps = {
  database: Database<NotificationsTables>
  config: { vapidKeys: readonly Secret[]; encryptionKeys: readonly Secret[] }
}

const SECRET_BYTES = 32
const PRIVATE_KEY_BYTES = 32

/** The pair of a private key. Earlier versions stored it without leading zeros, but web-push requires 32 bytes. */
const pairOf = (privateKey: Buffer): VapidKeys => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  const whole = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - privateKey.length), privateKey])
  return { publicKey: curve.getPublicKey().toString('base64url'), privateKey: whole.toString('base64url') }
}

const revealed = (secrets: readonly Secret[]) => secrets.map((secret) => secret.reveal())

/** The usable stored values of a kind; generates one if there is none. */
const loadOrGenerate = async <Value>(
  database: Database<NotificationsTables>,
  kind: string,
  { open, make }: { open: (value: Buffer) => Value | undefined; make: () => { name: string; value: Buffer } },
): Promise<Value[]> => {
  const opened = (keys: readonly { value: Buffer }[]) => keys.flatMap(({ value }) => open(value) ?? [])
  const kept = opened(await readServerKeys(database.db, kind))
  if (kept.length > 0) return kept
  return transact(database.db, async (tx) => {
    await lockServerKeys(tx)
    const made = opened(await readServerKeys(tx, kind))
    if (made.length > 0) return made
    const key = make()
    await addServerKey(tx, key.name, key.value)
    return opened([key])
  })
}

const asText = (value: Buffer) => value.toString('base64url')

/** The configured encryption secrets, or one that is generated and stored. The stored one still decrypts once there are configured ones. */
const loadSecrets = async ({ database, config }: Deps): Promise<string[]> => {
  const configured = revealed(config.encryptionKeys)
  const make = () => ({ name: 'encryption', value: randomBytes(SECRET_BYTES) })
  const kept =
    configured.length > 0
      ? (await readServerKeys(database.db, 'encryption')).map(({ value }) => asText(value))
      : await loadOrGenerate(database, 'encryption', { open: asText, make })
  return [...configured, ...kept]
}

/**
 * Loads the configured keys, or generates and stores some. A stored VAPID key still serves the subscriptions made with it. If stored keys
 * cannot be decrypted any more, because the secret is gone, a new one is generated: clients subscribe again.
 */
const loadServerKeys = async ({ database, config }: Deps): Promise<ServerKeys> => {
  const secrets = await loadSecrets({ database, config })
  const vapidEncryption = encryption(secrets, 'vapid')
  const given = revealed(config.vapidKeys).map((key) => pairOf(Buffer.from(key, 'base64url')))
  const make = () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    return { name: `vapid:${publicKey}`, value: vapidEncryption.encrypt(privateKey) }
  }
  const open = (value: Buffer) => {
    const privateKey = vapidEncryption.decrypt(value)
    return privateKey === undefined ? undefined : pairOf(Buffer.from(privateKey, 'base64url'))
  }
  const kept =
    given.length > 0
      ? (await readServerKeys(database.db, 'vapid')).flatMap(({ value }) => open(value) ?? [])
      : await loadOrGenerate(database, 'vapid', { open, make })
  const all = [...given, ...kept]
  return {
    current: all[0]!,
    of: (publicKey) => all.find((pair) => pair.publicKey === publicKey),
    encryption: encryption(secrets, 'push subscription'),
  }
}

/** The keys, loaded on first use; a failed load is retried. */
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

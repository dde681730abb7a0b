import { createECDH } from 'node:crypto'
import { keys, optional, origin, readEnvironment, type Secret, text } from '@rookery/runtime'

/** The configuration of notifications. */
export type NotificationsConfig = {
  /** The public origin of the server. */
  readonly baseUrl: string
  /** The contact for push services (RFC 8292): a mailto or https URL. */
  readonly pushSubject: string
  /** VAPID private keys, base64url, the current one first; if empty, one is generated and stored. */
  readonly vapidKeys: readonly Secret[]
  /** Secrets that encrypt tokens and keys in the database, the current one first; if empty, one is generated and stored. */
  readonly encryptionKeys: readonly Secret[]
}

const PRIVATE_KEY_BYTES = 32

/** A setting of VAPID private keys. */
const vapidKeys = (given: { describe: string }) => {
  const inner = keys(given)
  return {
    ...inner,
    parse(value: string) {
      const all = inner.parse(value)
      if (!all.every((key) => isPrivateKey(Buffer.from(key.reveal(), 'base64url'))))
        throw new Error('must be private keys of P-256 in base64url')
      return all
    },
  }
}

/** Whether these bytes are a private key of P-256: 32 of them, not 0 and below the order of the curve. */
const isPrivateKey = (bytes: Buffer): boolean => {
  if (bytes.length !== PRIVATE_KEY_BYTES) return false
  try {
    createECDH('prime256v1').setPrivateKey(bytes)
    return true
  } catch {
    return false
  }
}

/** The settings of this service. */
export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  INSTANCE_CONTACT_EMAIL: text({ describe: 'Public contact e-mail address of the operator.', default: '' }),
  VAPID_PRIVATE_KEY: optional(
    vapidKeys({
      describe:
        'Private key that signs alerts to push services: 32 bytes of P-256 as base64url; generated and stored in the database when not set. To rotate it: NEW,OLD until clients have subscribed again.',
    }),
  ),
  ENCRYPTION_KEY: optional(
    keys({
      describe:
        'Encryption key for access tokens and keys in the database, so that a copy of the database does not reveal them; generated and stored in the database itself when not set. To rotate it: NEW,OLD.',
    }),
  ),
}

const subjectOf = (baseUrl: string, contactEmail: string) => {
  if (contactEmail) return `mailto:${contactEmail}`
  return baseUrl.startsWith('https:') ? baseUrl : `mailto:admin@${new URL(baseUrl).hostname}`
}

/** Reads the settings of notifications. @throws ConfigurationError */
export const readNotificationsConfig = (environment: Record<string, string | undefined>): NotificationsConfig => {
  const values = readEnvironment(settings, environment)
  return {
    baseUrl: values.BASE_URL,
    pushSubject: subjectOf(values.BASE_URL, values.INSTANCE_CONTACT_EMAIL),
    vapidKeys: values.VAPID_PRIVATE_KEY ?? [],
    encryptionKeys: values.ENCRYPTION_KEY ?? [],
  }
}

import type { ColumnType, Generated } from 'kysely'

/** The push subscription of an access token's client. */
export type PushSubscriptionTable = {
  id: Generated<string>
  tokenId: string
  accountId: string
  endpoint: string
  /** The client's public key and its secret (RFC 8291), base64url. */
  p256dh: string
  auth: string
  /** aes128gcm of RFC 8291, or aesgcm of its drafts. */
  standard: boolean
  /** Whether to push, by notification type. */
  alerts: ColumnType<Record<string, boolean>, string, string>
  policy: string
  /** Encrypted. */
  accessToken: Buffer
  /** The VAPID public key that it was made with. */
  serverKey: string
  /** Whether its login is disabled. */
  isPaused: Generated<boolean>
  createdAt: Date
}

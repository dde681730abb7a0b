import type { Generated } from 'kysely'

/** A passkey (WebAuthn). */
export type PasskeyTable = {
  credentialId: Buffer
  accountId: string
  /** As COSE (RFC 9052). */
  publicKey: Buffer
  /** How often the authenticator says it has signed; 0 where it does not count. */
  signCount: string
  transports: string[]
  /** What its owner calls it. */
  name: string
  createdAt: Date
  lastUsedAt: Generated<Date | null>
}

/** A challenge that was answered, until it is too old to be answered again. */
export type AnsweredChallengeTable = { digest: Buffer; expiresAt: Date }

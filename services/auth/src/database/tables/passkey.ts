import type { Generated } from 'kysely'

/** A passkey (WebAuthn). */
export type PasskeyTable = {
  credentialId: Buffer
  accountId: string
  /** A COSE key (RFC 9052). */
  publicKey: Buffer
  /** The signature counter of the authenticator; 0 if it does not count. */
  signCount: string
  transports: string[]
  /** Chosen by its owner. */
  name: string
  createdAt: Date
  lastUsedAt: Generated<Date | null>
}

/** An answered challenge, kept until it has expired. */
export type AnsweredChallengeTable = { digest: Buffer; expiresAt: Date }

/** A link that confirms an address. The token in it is nowhere in the database. */
export type ConfirmationTokenTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  accountId: string
  /** The address the link was sent to; it confirms no other. */
  email: string
  expiresAt: Date
}

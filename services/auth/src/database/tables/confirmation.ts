/** A link that confirms an address. Its token is not stored. */
export type ConfirmationTokenTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  accountId: string
  /** The address that the link was sent to and confirms. */
  email: string
  expiresAt: Date
}

/** A link that sets a new password. The token in it is nowhere in the database. */
export type PasswordResetTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  accountId: string
  expiresAt: Date
}

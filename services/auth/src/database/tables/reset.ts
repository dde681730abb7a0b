/** A link that sets a new password. Its token is not stored. */
export type PasswordResetTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  accountId: string
  expiresAt: Date
}

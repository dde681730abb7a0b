/** An address that becomes someone's when the link sent there is followed. The token in it is nowhere in the database. */
export type EmailChangeTable = {
  accountId: string
  /** SHA-256 of the token; null until the link is on its way. */
  digest: Buffer | null
  email: string
  expiresAt: Date
}

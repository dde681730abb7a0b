/** A requested change of address, made when the mailed link is followed. Its token is not stored. */
export type EmailChangeTable = {
  accountId: string
  /** SHA-256 of the token; null until the link is created. */
  digest: Buffer | null
  email: string
  expiresAt: Date
}

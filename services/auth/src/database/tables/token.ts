/** A bearer token. The token itself is nowhere in the database. */
export type AccessTokenTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  /** Names the token where the token itself must not be, e.g. in events. */
  id: string
  appId: string
  /** Null for client credentials. */
  accountId: string | null
  scopes: string[]
  /** The approval it came of, of tokens issued by the provider; no longer written. */
  grantId: string | null
  /** What the token is derived from with its app's secret; null where the token was made by chance. */
  nonce: Buffer | null
  createdAt: Date
  revokedAt: Date | null
}

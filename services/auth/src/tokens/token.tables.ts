/** A bearer token. The token itself is nowhere in the database. */
export type AccessTokenTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  /** Names the token where the token itself must not be, e.g. in events. */
  id: string
  app_id: string
  /** Null for client credentials. */
  account_id: string | null
  scopes: string[]
  /** The approval it came of. */
  grant_id: string | null
  created_at: Date
  revoked_at: Date | null
}

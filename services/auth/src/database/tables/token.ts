/** A bearer token, of which only the digest is stored. */
export type AccessTokenTable = {
  /** SHA-256 of the token. */
  digest: Buffer
  /** A public id of the token, e.g. for events. */
  id: string
  appId: string
  /** Null for client credentials. */
  accountId: string | null
  scopes: string[]
  /** The grant of a token that oidc-provider issued; no longer written. */
  grantId: string | null
  /** The nonce from which the token is derived with its app's secret; null for a random token. */
  nonce: Buffer | null
  createdAt: Date
  revokedAt: Date | null
}

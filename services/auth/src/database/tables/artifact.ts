/** A record of oidc-provider: a session, an interaction, a code or a grant. */
export type ArtifactTable = {
  model: string
  /** SHA-256 of the id, because the ids of sessions and codes are secrets. */
  digest: Buffer
  payload: unknown
  grantId: string | null
  uid: string | null
  /** The account, if known. */
  accountId: string | null
  consumedAt: Date | null
  expiresAt: Date
}

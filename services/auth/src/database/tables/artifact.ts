/** Something oidc-provider keeps: a session, an interaction, a code or a grant. */
export type ArtifactTable = {
  model: string
  /** SHA-256 of the id, because the ids of sessions and codes are as good as passwords. */
  digest: Buffer
  payload: unknown
  grantId: string | null
  uid: string | null
  /** Whose it is, as far as that is known. */
  accountId: string | null
  consumedAt: Date | null
  expiresAt: Date
}

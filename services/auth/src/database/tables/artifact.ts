/** Something oidc-provider keeps: a session, an interaction, a code or a grant. */
export type ArtifactTable = {
  model: string
  /** SHA-256 of the id, because the ids of sessions and codes are as good as passwords. */
  digest: Buffer
  payload: unknown
  grant_id: string | null
  uid: string | null
  /** Whose it is, as far as that is known. */
  account_id: string | null
  consumed_at: Date | null
  expires_at: Date
}

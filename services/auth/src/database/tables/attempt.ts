/** A sign-up that has begun: what the login will be when the account is open. */
export type SignUpAttemptTable = {
  account_id: string
  username: string
  email: string
  /** A PHC string. */
  password_hash: string
  role: string
  locale: string
  reason: string
  address: string
  app_id: string | null
  is_confirmed: boolean
  is_approved: boolean
  created_at: Date
}

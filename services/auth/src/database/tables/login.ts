/** How somebody gets in. The person behind it is an account of the statuses service; only its id is kept here. */
export type LoginTable = {
  account_id: string
  email: string
  /** A PHC string. */
  password_hash: string
  role: string
  locale: string
  /** Why they want to join, for moderators. */
  reason: string
  sign_up_address: string
  sign_up_app_id: string | null
  created_at: Date
  confirmed_at: Date | null
  approved_at: Date | null
  disabled_at: Date | null
  suspended_at: Date | null
  /** They have died. */
  memorial_at: Date | null
  /** Their account is being deleted since then. */
  closing_at: Date | null
  last_sign_in_at: Date | null
  /** The last day on which they used a token or signed in, as YYYY-MM-DD. */
  last_seen_on: string | null
}

/** Who was seen at least once in a week; the week is its Monday, as YYYY-MM-DD. */
export type SignInWeekTable = { week: string; account_id: string }

import type { RoleName } from '@rookery/contracts/permissions'

/** How someone gets in. The person behind it is an account of the statuses service; only its id is kept here. */
export type LoginTable = {
  accountId: string
  email: string
  /** A PHC string. */
  passwordHash: string
  role: RoleName
  locale: string
  /** Why they want to join, for moderators. */
  reason: string
  /** Where they signed up from; empty when an operator opened the account. */
  signUpAddress: string
  signUpAppId: string | null
  createdAt: Date
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
  suspendedAt: Date | null
  /** They have died. */
  memorialAt: Date | null
  /** Their account is being deleted since then. */
  closingAt: Date | null
  lastSignInAt: Date | null
  /** The last day on which they used a token or signed in, as YYYY-MM-DD. */
  lastSeenOn: string | null
}

/** Who was seen at least once in a week; the week is its Monday, as YYYY-MM-DD. */
export type SignInWeekTable = { week: string; accountId: string }

/** Who was seen on a day, counted since 1970. */
export type SeenDayTable = { day: number; accountId: string }

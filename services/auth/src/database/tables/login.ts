import type { RoleName } from '@rookery/contracts/permissions'

/** A login. The account itself belongs to statuses; only its id is stored here. */
export type LoginTable = {
  accountId: string
  email: string
  /** A PHC string. */
  passwordHash: string
  role: RoleName
  locale: string
  /** The reason for joining, for moderators. */
  reason: string
  /** The network address of the sign-up; empty if an operator created the account. */
  signUpAddress: string
  signUpAppId: string | null
  createdAt: Date
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
  suspendedAt: Date | null
  /** When the account became a memorial. */
  memorialAt: Date | null
  /** When the deletion of the account began. */
  closingAt: Date | null
  lastSignInAt: Date | null
  /** The last day of activity (a token used or a sign-in), as YYYY-MM-DD. */
  lastSeenOn: string | null
}

/** An account that was active in a week; `week` is its Monday, as YYYY-MM-DD. */
export type SignInWeekTable = { week: string; accountId: string }

/** An account that was active on a day; `day` counts from 1970. */
export type SeenDayTable = { day: number; accountId: string }

import type { RoleName } from '@rookery/contracts/permissions'

/** A sign-up in progress: the future login, until the account is open. */
export type SignUpAttemptTable = {
  accountId: string
  username: string
  email: string
  /** A PHC string. */
  passwordHash: string
  role: RoleName
  locale: string
  reason: string
  address: string
  appId: string | null
  isConfirmed: boolean
  isApproved: boolean
  /** The invitation used, if any. */
  inviteId: string | null
  createdAt: Date
}

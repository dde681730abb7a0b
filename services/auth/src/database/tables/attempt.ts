import type { RoleName } from '@rookery/contracts/permissions'

/** A sign-up that has begun: what the login will be when the account is open. */
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
  /** Of the invitation they come by. */
  inviteId: string | null
  createdAt: Date
}

import type { Login as LoginMessage } from '@rookery/contracts/auth'
import type { Login } from '../logins/index.ts'

/** A login, for operators. */
export const loginMessage = (login: Login, username: string): LoginMessage => ({
  accountId: login.accountId,
  username,
  email: login.email,
  role: login.role,
  isConfirmed: login.confirmedAt !== null,
  isApproved: login.approvedAt !== null,
  isDisabled: login.disabledAt !== null,
  isSuspended: login.suspendedAt !== null,
  isMemorial: login.memorialAt !== null,
  createdAtMilliseconds: login.createdAt.getTime(),
})

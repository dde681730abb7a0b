import { changeEmailPages, confirmChangePages } from './change-email.ts'
import { changePasswordPages } from './change-password.ts'
import { dataPages } from './data.ts'
import { deleteAccountPages } from './delete-account.ts'
import { forgottenPages, resetPages } from './forgotten-password.ts'
import { ownInvitePages } from './invites.ts'
import { mailPages } from './mail.ts'
import { movePages } from './move.ts'
import { overviewPages } from './overview.ts'
import { passkeyPages } from './passkeys.ts'
import { secondFactorPages } from './second-factor.ts'
import { signInPages, signOutPages } from './sign-in.ts'
import { strikePages } from './strikes.ts'
import { unsubscribePages } from './unsubscribe.ts'

type Deps = Parameters<typeof overviewPages>[0] &
  Parameters<typeof signInPages>[0] &
  Parameters<typeof changeEmailPages>[0] &
  Parameters<typeof changePasswordPages>[0] &
  Parameters<typeof secondFactorPages>[0] &
  Parameters<typeof passkeyPages>[0] &
  Parameters<typeof dataPages>[0] &
  Parameters<typeof ownInvitePages>[0] &
  Parameters<typeof mailPages>[0] &
  Parameters<typeof unsubscribePages>[0] &
  Parameters<typeof strikePages>[0] &
  Parameters<typeof movePages>[0] &
  Parameters<typeof deleteAccountPages>[0] &
  Parameters<typeof forgottenPages>[0]

/** The pages for signing in and for the settings of a login. */
export const createAccountPages = (deps: Deps) => ({
  signIn: signInPages(deps),
  signOut: signOutPages(deps),
  overview: overviewPages(deps),
  changeEmail: changeEmailPages(deps),
  confirmChange: confirmChangePages(deps),
  changePassword: changePasswordPages(deps),
  secondFactor: secondFactorPages(deps),
  passkeys: passkeyPages(deps),
  data: dataPages(deps),
  invites: ownInvitePages(deps),
  mail: mailPages(deps),
  unsubscribe: unsubscribePages(deps),
  strikes: strikePages(deps),
  move: movePages(deps),
  deleteAccount: deleteAccountPages(deps),
  reset: resetPages(deps),
  forgotten: forgottenPages(deps),
})

export type AccountPages = ReturnType<typeof createAccountPages>

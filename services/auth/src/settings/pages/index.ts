import { changeEmailPages, confirmChangePages } from './change-email.ts'
import { changePasswordPages } from './change-password.ts'
import { dataPages } from './data.ts'
import { deleteAccountPages } from './delete-account.ts'
import { forgottenPages, resetPages } from './forgotten-password.ts'
import { movePages } from './move.ts'
import { overviewPages } from './overview.ts'
import { signInPages, signOutPages } from './sign-in.ts'

type Given = Parameters<typeof overviewPages>[0] &
  Parameters<typeof signInPages>[0] &
  Parameters<typeof changeEmailPages>[0] &
  Parameters<typeof changePasswordPages>[0] &
  Parameters<typeof dataPages>[0] &
  Parameters<typeof movePages>[0] &
  Parameters<typeof deleteAccountPages>[0] &
  Parameters<typeof forgottenPages>[0]

/** The pages of people who look after their login. */
export const createAccountPages = (given: Given) => ({
  signIn: signInPages(given),
  signOut: signOutPages(given),
  overview: overviewPages(given),
  changeEmail: changeEmailPages(given),
  confirmChange: confirmChangePages(given),
  changePassword: changePasswordPages(given),
  data: dataPages(given),
  move: movePages(given),
  deleteAccount: deleteAccountPages(given),
  reset: resetPages(given),
  forgotten: forgottenPages(given),
})

export type AccountPages = ReturnType<typeof createAccountPages>

import { closeLogin } from './close-login.ts'
import { finishDeletions } from './finish-deletions.job.ts'
import { forgetSignUps } from './forget-sign-ups.job.ts'

/** Deletion of accounts, for other slices. */
export const createAccountDeletions = (given: Parameters<typeof closeLogin>[0]) => ({
  close: closeLogin(given),
  jobs: [finishDeletions(given), forgetSignUps(given)],
})

export type AccountDeletions = ReturnType<typeof createAccountDeletions>

import { closeLogin } from './close-login.ts'
import { finishDeletions } from './finish-deletions.job.ts'

/** What other slices may do to end an account. */
export const createAccountDeletions = (given: Parameters<typeof closeLogin>[0]) => ({
  close: closeLogin(given),
  jobs: [finishDeletions(given)],
})

export type AccountDeletions = ReturnType<typeof createAccountDeletions>

import { closeLogin } from './close-login.ts'
import { finishClosings } from './finish-closings.job.ts'

/** What other slices may do to end an account. */
export const createClosings = (given: Parameters<typeof closeLogin>[0]) => ({
  close: closeLogin(given),
  jobs: [finishClosings(given)],
})

export type Closings = ReturnType<typeof createClosings>

import { type Job, job } from '@rookery/jobs'
import { newBudget, type ReceivedDeps } from '../received/deps.ts'
import { createStatuses } from '../received/keep-status.ts'
import { CHECK_QUOTE } from '../request-quote-check.ts'

/** Timeout, in milliseconds. */
const MILLISECONDS = 60_000

/** Fetches a status whose quote could not be verified again, with the approval; later once more if one of them still cannot be had. */
export const checkQuoteJob = (deps: ReceivedDeps): Job =>
  job<{ uri: string; attempt: number }>({
    name: CHECK_QUOTE,
    lane: 'reading',
    async run({ uri, attempt }) {
      const later = () => deps.requestQuoteCheck(uri, attempt + 1)
      const statuses = createStatuses({ ...deps, requestQuoteCheck: later })
      if (!(await statuses.refresh(uri, newBudget(AbortSignal.timeout(MILLISECONDS))))) await later()
    },
  })

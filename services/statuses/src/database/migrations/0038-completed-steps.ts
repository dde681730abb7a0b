import { createCompletedSteps } from '@rookery/database'

export const phase = 'expand'

/** What requests with an Idempotency-Key changed already. */
export const up = createCompletedSteps

import { createCompletedSteps } from '@rookery/database'

export const phase = 'expand'

/** What requests with an Idempotency-Key stored already. */
export const up = createCompletedSteps

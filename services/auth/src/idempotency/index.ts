import { forgetSteps } from '@rookery/database'
import { completeRequest, renewRequest } from './complete-request.ts'
import { forgetRequests } from './request.store.ts'
import { type IdempotencyDeps, KEPT_FOR, reserveRequest } from './reserve-request.ts'

/** Requests with an Idempotency-Key (docs/decisions/0027-the-same-request-twice.md). */
export const createIdempotency = (deps: IdempotencyDeps) => ({
  reserve: reserveRequest(deps),
  renew: renewRequest(deps),
  complete: completeRequest(deps),
  /** Deletes requests older than an hour, and the completed steps of requests that can no longer be in progress. */
  async forgetExpired(now: Date): Promise<void> {
    await forgetRequests(deps.database.db, new Date(now.getTime() - KEPT_FOR))
    await forgetSteps(deps.database.db, new Date(now.getTime() - 2 * KEPT_FOR))
  },
})

export type Idempotency = ReturnType<typeof createIdempotency>

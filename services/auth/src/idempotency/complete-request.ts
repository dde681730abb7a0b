import type { CompletedRequest, CompleteRequest, RenewRequest } from '@rookery/contracts/auth'
import { complete, findRequest, renew } from './request.store.ts'
import { type IdempotencyDeps, RESERVED_FOR } from './reserve-request.ts'

/** Renews the lease of an attempt. */
export const renewRequest =
  ({ database, clock }: IdempotencyDeps) =>
  async ({ request, attempt }: RenewRequest): Promise<void> => {
    await renew(database.db, { request, attempt, until: new Date(clock.now() + RESERVED_FOR) })
  }

/** Ends an attempt, with the response for repeats or without one. An attempt that lost its lease gets the stored response. */
export const completeRequest =
  ({ database, clock }: IdempotencyDeps) =>
  async ({ request, attempt, answer }: CompleteRequest): Promise<CompletedRequest> => {
    const kept = answer.length > 0 ? answer : null
    const [completed] = await complete(database, { request, attempt, answer: kept, now: new Date(clock.now()) })
    if (completed) return { answer }
    const [known] = await findRequest(database, { request })
    return { answer: known?.answer ?? answer }
  }

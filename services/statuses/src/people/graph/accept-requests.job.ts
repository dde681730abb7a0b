import type { Database, Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { authorizeFollowRequest } from './answer-follow-request.ts'
import { readWaiting } from './graph.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

const ACCEPT_REQUESTS = 'accept-follow-requests'
const AT_A_TIME = 100

/** Adds the job that accepts all follow requests of an account that becomes unlocked, with the transaction. */
export const requestAcceptance = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', ACCEPT_REQUESTS, { accountId }, { key: `${ACCEPT_REQUESTS}:${accountId}` })

/** Accepts the follow requests of an account, while it is unlocked (beyond-the-spec 1.15, locked → unlocked). */
export const acceptRequestsJob = (deps: Deps): Job => {
  const authorize = authorizeFollowRequest(deps)
  return job<{ accountId: string }>({
    name: ACCEPT_REQUESTS,
    lane: 'bulk',
    run: async ({ accountId }, signal) => {
      for (;;) {
        const waiting = await readWaiting(deps.database, { accountId, limit: AT_A_TIME })
        if (waiting.length === 0) return
        for (const { requesterId } of waiting) {
          signal?.throwIfAborted()
          await authorize({ ownerId: accountId, requesterId }).catch((error: unknown) => {
            // Withdrawn or answered meanwhile.
            if (!(error instanceof Failure && error.kind === 'not_found')) throw error
          })
        }
      }
    },
  })
}

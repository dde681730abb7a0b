import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { pruneDeletions, pruneThreads } from '../activities/index.ts'
import { pruneActors } from '../actors/index.ts'
import type { FederationTables } from '../database/schema.ts'
import { pruneOutbound } from '../deliveries/index.ts'
import { pruneReceived } from '../inbox/index.ts'

const DAY = 86_400_000
/** Longer than a delivery is tried. */
const OUTBOUND_KEPT = 4 * DAY
/** Longer than a signature is good for. */
const RECEIVED_KEPT = 4 * DAY
/** What is deleted and comes after that is not kept out any more. */
const DELETIONS_KEPT = 30 * DAY
/** Threads may be fetched again long before. */
const THREADS_KEPT = DAY
/** Activities that failed stay for the operator. */
const FAILED_KEPT = 30 * DAY
/** People without an account, of whom only the key was needed. */
const STRANGERS_KEPT = 7 * DAY

/** Forgets deliveries and activities that are done with, hourly and in pieces. */
export const prune = ({ database, clock }: { database: Database<FederationTables>; clock: Clock }): Job =>
  job({
    name: 'prune-federation',
    cron: '23 * * * *',
    async run(_payload, signal) {
      const before = (age: number) => new Date(clock.now() - age)
      const pieces = [
        () => pruneOutbound(database, { before: before(OUTBOUND_KEPT) }),
        () => pruneDeletions(database, { before: before(DELETIONS_KEPT) }),
        () => pruneThreads(database, { before: before(THREADS_KEPT) }),
        () => pruneReceived(database, { done: before(RECEIVED_KEPT), failed: before(FAILED_KEPT) }),
        () => pruneActors(database, { before: before(STRANGERS_KEPT) }),
      ]
      for (const pruneSome of pieces) while (!signal?.aborted && (await pruneSome()).length > 0);
    },
  })

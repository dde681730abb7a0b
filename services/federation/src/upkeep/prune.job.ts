import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { pruneDeletions, pruneThreads } from '../activities/index.ts'
import { pruneActors } from '../actors/index.ts'
import type { FederationTables } from '../database/schema.ts'
import { pruneOutbound } from '../deliveries/index.ts'
import { pruneReceived } from '../inbox/index.ts'

const DAY = 86_400_000
/** Longer than a delivery is retried. */
const OUTBOUND_KEPT = 4 * DAY
/** Longer than a signature is valid. */
const RECEIVED_KEPT = 4 * DAY
/** An object that arrives later than this after its deletion is accepted. */
const DELETIONS_KEPT = 30 * DAY
/** Longer than the minimum time between two fetches. */
const THREADS_KEPT = DAY
/** Failed activities are kept longer, for the operator. */
const FAILED_KEPT = 30 * DAY
/** Actors without an account, of which only the key was needed. */
const STRANGERS_KEPT = 7 * DAY

/** Deletes old deliveries, activities, fetched threads and actors, hourly and in batches. */
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

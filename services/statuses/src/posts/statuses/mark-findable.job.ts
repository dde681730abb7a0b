import { type Database, type Tx, transact } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { markMissed, markOfAuthor } from './findable.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

const MARK_FINDABLE = 'mark-findable'
const AT_A_TIME = 500
const LOOKED_BACK_MILLISECONDS = 2 * 86_400_000

/** Adds the job that updates `is_findable` on an author's statuses, with the transaction. */
export const requestMarking = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', MARK_FINDABLE, { accountId }, { key: `${MARK_FINDABLE}:${accountId}` })

type Mark = (after: string) => Promise<{ last: string | null }[]>

const untilDone = async (from: string, mark: Mark, signal: AbortSignal | undefined) => {
  for (let after: string | null = from; after !== null; ) {
    signal?.throwIfAborted()
    after = (await mark(after))[0]?.last ?? null
  }
}

/** Updates an author's statuses in batches. Updates are idempotent, so it can restart after a kill. */
export const markFindableJob = ({ database }: Deps): Job =>
  job<{ accountId: string }>({
    name: MARK_FINDABLE,
    lane: 'bulk',
    run: ({ accountId }, signal) =>
      untilDone('0', (after) => transact(database.db, (tx) => markOfAuthor(tx, { accountId, after, limit: AT_A_TIME })), signal),
  })

/**
 * Updates statuses of the last days that were missed: written by a process of the previous version, or while their author's profile was changing.
 * Checks recent statuses only.
 */
export const markMissedJob = ({ database, clock }: Deps): Job =>
  job({
    name: 'mark-missed-findable',
    lane: 'bulk',
    cron: '10 4 * * *',
    run: (_payload, signal) =>
      untilDone(
        idAtTime(clock.now() - LOOKED_BACK_MILLISECONDS),
        (after) => transact(database.db, (tx) => markMissed(tx, { after, limit: AT_A_TIME })),
        signal,
      ),
  })

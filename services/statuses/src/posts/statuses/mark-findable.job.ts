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

/** Has the statuses of an author marked as their profile wants it, once the transaction is kept. */
export const requestMarking = (tx: Tx<StatusesTables>, accountId: string): Promise<void> =>
  addJob(tx, 'statuses', MARK_FINDABLE, { accountId }, { key: `${MARK_FINDABLE}:${accountId}` })

type Mark = (after: string) => Promise<{ last: string | null }[]>

const untilDone = async (from: string, mark: Mark, signal: AbortSignal | undefined) => {
  for (let after: string | null = from; after !== null; ) {
    signal?.throwIfAborted()
    after = (await mark(after))[0]?.last ?? null
  }
}

/** Marks an author's statuses part by part. What is marked stays, so it goes on wherever it stopped. */
export const markFindableJob = ({ database }: Deps): Job =>
  job<{ accountId: string }>({
    name: MARK_FINDABLE,
    lane: 'bulk',
    run: ({ accountId }, signal) =>
      untilDone('0', (after) => transact(database.db, (tx) => markOfAuthor(tx, { accountId, after, limit: AT_A_TIME })), signal),
  })

/**
 * Marks what was missed in the last days: by a process of the version before, or published at the moment its author's profile changed. Looks at
 * what was posted since, not at all there is.
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

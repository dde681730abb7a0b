import { type Database, MAX_ID, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { CardWriter } from './card.store.ts'

const BUMP_CARD_STATUSES = 'raise-shown'

/**
 * Has the statuses that link to a page show its new card: the newest at once, in the transaction that stores the card; the rest in a job,
 * since they may be more than one transaction should lock.
 */
export const bumpCardStatuses = async (tx: Tx<StatusesTables>, digest: string): Promise<void> => {
  const below = await new CardWriter(tx).bump(digest, MAX_ID)
  if (below) await addJob(tx, 'statuses', BUMP_CARD_STATUSES, { digest, below }, { key: `${BUMP_CARD_STATUSES}:${digest}` })
}

/** Bumps the remaining statuses, in one transaction per batch. Bumping twice is harmless, so it may restart after a kill. */
export const bumpCardStatusesJob = ({ database }: { database: Database<StatusesTables> }): Job =>
  job<{ digest: string; below: string }>({
    name: BUMP_CARD_STATUSES,
    lane: 'bulk',
    run: async ({ digest, below }, signal) => {
      for (let next: string | undefined = below; next; ) {
        signal?.throwIfAborted()
        const from: string = next
        next = await transact(database.db, (tx) => new CardWriter(tx).bump(digest, from))
      }
    },
  })

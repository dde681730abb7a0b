import { type Database, MAX_ID, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { CardWriter } from './card.store.ts'

const RAISE_SHOWN = 'raise-shown'

/** Above every status. */

/**
 * Has the statuses that show a page show its new card: the newest of them at once, in the transaction that keeps the card, and whatever is
 * more than one transaction should lock in a job.
 */
export const raiseShown = async (tx: Tx<StatusesTables>, digest: string): Promise<void> => {
  const below = await new CardWriter(tx).raise(digest, MAX_ID)
  if (below) await addJob(tx, 'statuses', RAISE_SHOWN, { digest, below }, { key: `${RAISE_SHOWN}:${digest}` })
}

/** The rest of them, a transaction a part. Raised twice is as good as once, so it may begin anew after a kill. */
export const raiseShownJob = ({ database }: { database: Database<StatusesTables> }): Job =>
  job<{ digest: string; below: string }>({
    name: RAISE_SHOWN,
    run: async ({ digest, below }) => {
      for (let next: string | undefined = below; next; ) {
        const from: string = next
        next = await transact(database.db, (tx) => new CardWriter(tx).raise(digest, from))
      }
    },
  })

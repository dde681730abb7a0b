import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { RemovalWriter } from './removal.store.ts'

export const REMOVE_CLOSED = 'remove-closed-accounts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/**
 * Closes an account. From the commit on no one is shown it or anything it said, because readers leave closed accounts out and its version
 * has risen; the rows go in the background. Closing again, or an account that is gone, changes nothing.
 */
export const closeAccount =
  ({ database, clock }: Deps) =>
  ({ id }: { id: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      if (!(await new RemovalWriter(tx).close(id, new Date(clock.now())))) return
      await addJob(tx, 'statuses', REMOVE_CLOSED, {}, { key: REMOVE_CLOSED })
    })

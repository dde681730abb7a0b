import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { runSoon } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { accountClosed } from './account-lifecycle.events.ts'
import { RemovalWriter } from './removal.store.ts'

export const REMOVE_CLOSED = 'remove-closed-accounts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** Closes an account within a transaction; returns the result of the store. */
export const closeAccountWithin = async (tx: Tx<StatusesTables>, id: string, now: Date) => {
  const closed = await new RemovalWriter(tx).close(id, now)
  if (closed) await runSoon(tx, 'statuses', REMOVE_CLOSED)
  return closed
}

/**
 * Closes an account. From the commit on it is hidden with its statuses, because readers leave closed accounts out and its version was bumped; a job
 * deletes the rows. Idempotent.
 */
export const closeAccount =
  ({ database, outbox, clock }: Deps) =>
  ({ id }: { id: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      const closed = await closeAccountWithin(tx, id, new Date(clock.now()))
      if (closed?.isLocal) await outbox.append(tx, [accountClosed(id, closed.username)])
    })

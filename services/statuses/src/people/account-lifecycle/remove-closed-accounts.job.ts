import type { Database, Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { addJobs, type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { REMOVE_CLOSED } from './close-account.ts'
import { RemovalReader } from './removal.store.ts'
import { emptyAccount, removeAccount } from './remove-account.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

const REMOVE_EMPTIED = 'remove-emptied-account'

/**
 * Deletes the statuses of closed accounts; the rest follows once homes are without them. It runs when an account closes, and by schedule, so that the
 * work of a killed process continues within minutes. An account that cannot be emptied does not block the others.
 */
export const removeClosedAccountsJob = (deps: Deps): Job => {
  const empty = emptyAccount(deps)
  return job<unknown>({
    name: REMOVE_CLOSED,
    lane: 'bulk',
    cron: '*/5 * * * *',
    run: async (_payload, signal) => {
      const failures: unknown[] = []
      for (const id of await new RemovalReader(deps.database.db).closed()) {
        await empty(id, signal).catch((error) => failures.push(error))
        signal?.throwIfAborted()
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some closed accounts could not be emptied')
    },
  })
}

/** Adds the jobs that remove accounts whose statuses are in no home any more, with the transaction. */
export const requestRemoval = (tx: Tx<StatusesTables>, accountIds: readonly string[]): Promise<void> =>
  addJobs(
    tx,
    'statuses',
    REMOVE_EMPTIED,
    accountIds.map((accountId) => ({ payload: { accountId }, key: `${REMOVE_EMPTIED}:${accountId}` })),
  )

/** Removes an account without statuses, and all that others have with it. */
export const removeEmptiedAccountJob = (deps: Deps): Job => {
  const remove = removeAccount(deps)
  return job<{ accountId: string }>({
    name: REMOVE_EMPTIED,
    lane: 'bulk',
    run: async ({ accountId }, signal) => void (await remove(accountId, signal)),
  })
}

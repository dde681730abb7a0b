import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { REMOVE_CLOSED } from './close-account.ts'
import { RemovalReader } from './removal.store.ts'
import { removeAccount } from './remove-account.ts'

/**
 * Removes closed accounts. It runs when one closes, and by schedule, so that the work of a killed process continues within minutes. One that cannot
 * be removed does not block the others.
 */
export const removeClosedAccountsJob = (deps: { database: Database<StatusesTables>; outbox: Outbox }): Job => {
  const remove = removeAccount(deps)
  return job<unknown>({
    name: REMOVE_CLOSED,
    lane: 'bulk',
    cron: '*/5 * * * *',
    run: async (_payload, signal) => {
      const failures: unknown[] = []
      for (const id of await new RemovalReader(deps.database.db).closed()) {
        await remove(id, signal).catch((error) => failures.push(error))
        signal?.throwIfAborted()
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some closed accounts could not be removed')
    },
  })
}

import { type Database, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { filtersChanged } from './filter.events.ts'
import { FilterWriter } from './filter.store.ts'

/** The dependencies of changing filters. */
export type ChangeDeps = { database: Database<StatusesTables>; outbox: Outbox }

/**
 * Changes an account's filters in one transaction; changes of one account are serialised. Later reads use the change, and its event notifies open
 * streams (beyond-the-spec 1.7). `hold` locks statuses that the change touches, since statuses are locked before accounts.
 */
export const filterChanges =
  ({ database, outbox }: ChangeDeps) =>
  <Result>(
    call: Call,
    accountId: string,
    change: (filters: FilterWriter) => Promise<Result>,
    { hold }: { hold?: (filters: FilterWriter) => Promise<void> } = {},
  ): Promise<Result> =>
    transactOnce(database.db, { call, step: 'change-filters' }, async (tx) => {
      const filters = new FilterWriter(tx)
      await hold?.(filters)
      await filters.begin(accountId)
      const result = await change(filters)
      await outbox.append(tx, [filtersChanged(accountId)])
      return result
    })

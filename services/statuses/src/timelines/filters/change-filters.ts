import { type Database, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { filtersChanged } from './filter.events.ts'
import { FilterWriter } from './filter.store.ts'

/** What changing filters needs. */
export type ChangeDeps = { database: Database<StatusesTables>; outbox: Outbox }

/**
 * Changes someone's filters: all of it or nothing, one change of a person after the other. What they read from then on sees it, and the
 * event that announces it to their open streams leaves with it (beyond-the-spec 1.7). `hold` locks statuses that the change touches, since
 * statuses are locked before accounts.
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

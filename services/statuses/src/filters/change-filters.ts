import { type Database, transact } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import type { StatusesTables } from '../database/schema.ts'
import { liveFiltersChanged } from './filter.events.ts'
import { FilterWriter } from './filter.store.ts'

/** What changing filters needs. */
export type ChangeGiven = { database: Database<StatusesTables>; live: LiveChannel; presence: Presence }

/**
 * Changes somebody's filters: all of it or nothing, one change of a person after the other. What they read from then on sees it, and their
 * open streams are told (beyond-the-spec 1.7). `hold` locks statuses that the change touches, since statuses are locked before accounts.
 */
export const filterChanges = ({ database, live, presence }: ChangeGiven) => {
  const tell = async (accountId: string) => {
    const connected = await presence.connected()
    if (connected.includes(accountId)) live.publish(liveFiltersChanged(accountId))
  }

  return async <Result>(
    accountId: string,
    change: (filters: FilterWriter) => Promise<Result>,
    { hold }: { hold?: (filters: FilterWriter) => Promise<void> } = {},
  ): Promise<Result> => {
    const result = await transact(database.db, async (tx) => {
      const filters = new FilterWriter(tx)
      await hold?.(filters)
      await filters.begin(accountId)
      return change(filters)
    })
    await tell(accountId)
    return result
  }
}

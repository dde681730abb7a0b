import { type Database, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { NotificationsTables } from '../database/schema.ts'
import { InboxWriter } from './inbox.store.ts'

type Deps = { database: Database<NotificationsTables> }

/** Deletes those of these notifications that are the viewer's, and returns how many there were. */
export const dismissNotifications =
  ({ database }: Deps) =>
  (viewerId: string, ids: readonly string[]): Promise<number> =>
    transact(database.db, (tx) => new InboxWriter(tx).remove(viewerId, ids.filter(isId)))

/**
 * Deletes one notification of the viewer.
 * @throws Failure not_found if it is missing or another's
 */
export const dismissNotification = (deps: Deps) => {
  const dismiss = dismissNotifications(deps)
  return async (viewerId: string, id: string): Promise<void> => {
    if ((await dismiss(viewerId, [id])) === 0) throw notFound(`notification ${id} is not in the inbox of ${viewerId}`)
  }
}

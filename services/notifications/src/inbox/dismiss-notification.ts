import { type Database, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { NotificationsTables } from '../database/schema.ts'
import { InboxWriter } from './inbox.store.ts'

type Deps = { database: Database<NotificationsTables> }

/** Takes those of these notifications that are the viewer's out of the inbox, and says how many there were. */
export const dismissNotifications =
  ({ database }: Deps) =>
  (viewerId: string, ids: readonly string[]): Promise<number> =>
    transact(database.db, (tx) => new InboxWriter(tx).remove(viewerId, ids.filter(isId)))

/**
 * Takes one notification out of the viewer's inbox.
 * @throws Failure not_found for a missing one and another's
 */
export const dismissNotification = (deps: Deps) => {
  const dismiss = dismissNotifications(deps)
  return async (viewerId: string, id: string): Promise<void> => {
    if ((await dismiss(viewerId, [id])) === 0) throw notFound(`notification ${id} is not in the inbox of ${viewerId}`)
  }
}

import { type Database, transact } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { InboxWriter } from './inbox.store.ts'

/** Empties the viewer's inbox. */
export const clearNotifications =
  ({ database }: { database: Database<NotificationsTables> }) =>
  (viewerId: string): Promise<void> =>
    transact(database.db, (tx) => new InboxWriter(tx).removeAll(viewerId))

import type { Database } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { type InboxFilter, InboxReader } from './inbox.store.ts'

/** How many notifications came after the one the viewer has read to, `most` at most (beyond-the-spec 1.14). One statement. */
export const countUnread =
  ({ database }: { database: Database<NotificationsTables> }) =>
  (viewerId: string, filter: InboxFilter, most: number): Promise<number> =>
    new InboxReader(database.db).countUnread(viewerId, filter, most)

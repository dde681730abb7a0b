import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { shownRows } from './inbox.rules.ts'
import { type InboxFilter, InboxReader } from './inbox.store.ts'
import { referencesOf } from './inbox.views.ts'
import { countVisible } from './read-visible.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** Rows per read, unless more are to be counted. */
const CHUNK = 100

/**
 * Counts unread notifications, up to `max` (beyond-the-spec 1.14): only visible ones, so that the viewer can find all that are counted. One
 * statement and one call, unless hidden ones leave the count short.
 */
export const countUnread = ({ database, statuses }: Deps) => {
  const reader = new InboxReader(database.db)
  return (call: Call, viewerId: string, filter: InboxFilter, max: number): Promise<number> =>
    countVisible(max, {
      chunk: Math.max(max, CHUNK),
      read: (page) => reader.unread(viewerId, filter, page),
      count: async (rows) => shownRows(rows, await statuses.views.readVisible(call, { viewerId, ...referencesOf(rows) })).length,
    })
}

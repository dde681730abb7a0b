import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { shownRows } from './inbox.rules.ts'
import { type InboxFilter, InboxReader } from './inbox.store.ts'
import { referencesOf } from './inbox.views.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/**
 * How many notifications came after the one the viewer has read to, of the first `max` of them (beyond-the-spec 1.14): those a page shows,
 * so that nothing is counted that the viewer cannot find. One statement, and one call when there are any.
 */
export const countUnread =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, filter: InboxFilter, max: number): Promise<number> => {
    const rows = await new InboxReader(database.db).unread(viewerId, filter, max)
    if (rows.length === 0) return 0
    return shownRows(rows, await statuses.views.readVisible(call, { viewerId, ...referencesOf(rows) })).length
  }

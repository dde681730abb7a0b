import type { Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { reportsOf, viewsOf, visibleRows } from './inbox.rules.ts'
import { InboxReader, type NotificationRow } from './inbox.store.ts'
import { hydrate } from './inbox.views.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/**
 * Reads one notification of the viewer.
 * @throws Failure not_found if it is missing, another's, or about something the viewer may not see
 */
export const readNotification =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, id: string): Promise<{ row: NotificationRow; views: StatusPage; reports: Report[] }> => {
    const row = isId(id) ? await new InboxReader(database.db).find(viewerId, id) : undefined
    if (!row) throw notFound(`notification ${id} is not in the inbox of ${viewerId}`)
    const parts = await hydrate(statuses.views, call, viewerId, [row])
    if (visibleRows([row], parts).length === 0) throw notFound(`what notification ${id} is about is hidden from ${viewerId}`)
    return { row, views: viewsOf([row], [parts]), reports: reportsOf([row], [parts]) }
  }

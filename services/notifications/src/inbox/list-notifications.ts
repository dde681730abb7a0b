import type { Cursors } from '@rookery/contracts/common'
import type { Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { reportsOf, viewsOf, visibleRows } from './inbox.rules.ts'
import { type InboxFilter, InboxReader, type NotificationRow } from './inbox.store.ts'
import { hydrate } from './inbox.views.ts'
import { readVisible } from './read-visible.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** A page of notifications, newest first, with the records they refer to. */
type NotificationList = { rows: NotificationRow[]; views: StatusPage; reports: Report[]; cursors: Cursors }

/**
 * Lists an account's notifications. Rows whose account or status the viewer may not see are left out; a page that gets short is filled by
 * further reads, a bounded number of times, one statement each. The cursors span all rows read, so that paging continues after a run of
 * hidden ones.
 */
export const listNotifications =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, filter: InboxFilter, page: Page): Promise<NotificationList> => {
    const reader = new InboxReader(database.db)
    const { rows, hydrated, cursors } = await readVisible(page, {
      read: (next) => reader.page(viewerId, filter, next),
      hydrate: (some) => hydrate(statuses.views, call, viewerId, some),
      visible: visibleRows,
    })
    return { rows, views: viewsOf(rows, hydrated), reports: reportsOf(rows, hydrated), cursors }
  }

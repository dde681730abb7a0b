import type { Cursors } from '@rookery/contracts/common'
import type { Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { reportsOf, viewsOf, visibleRows } from './inbox.rules.ts'
import { type InboxFilter, InboxReader, type NotificationRow } from './inbox.store.ts'
import { type Hydrated, hydrate } from './inbox.views.ts'

/** How often a page that hidden rows left short is read on. */
const MAX_ROUNDS = 4

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** A page of notifications, newest first, with the records they refer to. */
export type NotificationList = { rows: NotificationRow[]; views: StatusPage; reports: Report[]; cursors: Cursors }

/** The page behind the last row read, in the direction of reading. */
const after = (page: Page, last: NotificationRow): Page => (page.minId ? { ...page, minId: last.id } : { ...page, maxId: last.id })

/**
 * Lists an account's notifications. Rows whose account or status the viewer may not see are left out; a page they leave short is read on a
 * bounded number of times, one statement each. The cursors span all rows read, so that paging goes on behind a run of hidden ones.
 */
export const listNotifications =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, filter: InboxFilter, page: Page): Promise<NotificationList> => {
    const reader = new InboxReader(database.db)
    const hydrated: Hydrated[] = []
    const read: NotificationRow[] = []
    const shown: NotificationRow[] = []
    let next = page
    for (let round = 0; round < MAX_ROUNDS && shown.length < page.limit; round++) {
      const rows = await reader.page(viewerId, filter, next)
      const parts = await hydrate(statuses.views, call, viewerId, rows)
      const visible = visibleRows(rows, parts).slice(0, page.limit - shown.length)
      hydrated.push(parts)
      shown.push(...visible)
      // A full page ends at its last visible row: what was read behind that belongs to the next one.
      const isFull = shown.length >= page.limit
      read.push(...(isFull ? rows.slice(0, rows.indexOf(visible.at(-1)!) + 1) : rows))
      const last = rows.at(-1)
      if (!last || rows.length < page.limit) break
      next = after(page, last)
    }
    const { cursors } = cursorsOf(page, read, (row) => row.id)
    const ordered = page.minId ? shown.toReversed() : shown
    return { rows: ordered, views: viewsOf(ordered, hydrated), reports: reportsOf(ordered, hydrated), cursors }
  }

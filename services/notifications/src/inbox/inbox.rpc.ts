import { PAGE_SIZES } from '@rookery/contracts/limits'
import { InboxDefinition, type NotificationPage } from '@rookery/contracts/notifications'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin, rowsWithin } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { clearNotifications } from './clear-notifications.ts'
import { countUnread } from './count-unread.ts'
import { readDetails } from './detail.store.ts'
import { dismissNotification, dismissNotifications } from './dismiss-notification.ts'
import { asksForNothing, filterOf } from './inbox.filter.ts'
import { notificationOf } from './inbox.rules.ts'
import { listNotifications } from './list-notifications.ts'
import { readNotification } from './read-notification.ts'

const EMPTY: NotificationPage = { notifications: [], reports: [], cursors: { first: '', last: '', isFull: false } }

/** Serves `Inbox`. */
export const createInboxRpc = (deps: {
  database: Database<NotificationsTables>
  statuses: { views: Client<ViewsDefinition> }
}): Handler => {
  const listFor = listNotifications(deps)
  const readFor = readNotification(deps)
  const dismissFor = dismissNotification(deps)
  const dismissManyFor = dismissNotifications(deps)
  const countFor = countUnread(deps)
  const clearFor = clearNotifications(deps)
  return handler(InboxDefinition, {
    async list(call, request) {
      if (asksForNothing(request)) return EMPTY
      const { rows, cursors, ...records } = await listFor(
        call,
        request.viewerId,
        filterOf(request),
        pageWithin(PAGE_SIZES.notifications, request.page),
      )
      const details = await readDetails(deps.database.db, rows)
      return { notifications: rows.map((row) => notificationOf(row, details)), ...records, cursors }
    },
    async read(call, { viewerId, id }) {
      const { row, ...records } = await readFor(call, viewerId, id)
      return { notifications: [notificationOf(row, await readDetails(deps.database.db, [row]))], ...records }
    },
    async countUnread(call, request) {
      if (asksForNothing(request)) return { count: 0 }
      return { count: await countFor(call, request.viewerId, filterOf(request), rowsWithin(PAGE_SIZES.unread, request.limit)) }
    },
    async dismiss(_call, { viewerId, id }) {
      await dismissFor(viewerId, id)
      return {}
    },
    async dismissMany(_call, { viewerId, ids }) {
      await dismissManyFor(viewerId, ids)
      return {}
    },
    async clear(_call, { viewerId }) {
      await clearFor(viewerId)
      return {}
    },
  })
}

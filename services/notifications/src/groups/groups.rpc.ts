import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type GroupPage, GroupsDefinition } from '@rookery/contracts/notifications'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin, rowsWithin, transact } from '@rookery/database'
import { notFound, orNotFound } from '@rookery/failures'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { asksForNothing, filterOf, readDetails } from '../inbox/index.ts'
import { countUnreadGroups } from './count-unread-groups.ts'
import { groupKeyIn, groupOf } from './group.rules.ts'
import { removeMembers } from './group.store.ts'
import { listGroups } from './list-groups.ts'
import { listGroupAccounts, readGroup } from './read-group.ts'

const EMPTY: GroupPage = { groups: [], reports: [], cursors: { first: '', last: '', isFull: false } }

/** Serves `Groups`. */
export const createGroupsRpc = (deps: {
  database: Database<NotificationsTables>
  statuses: { views: Client<ViewsDefinition> }
}): Handler => {
  const list = listGroups(deps)
  const read = readGroup(deps)
  const accounts = listGroupAccounts(deps)
  const count = countUnreadGroups(deps)
  return handler(GroupsDefinition, {
    async list(call, { notifications, groupedTypes }) {
      const request = orNotFound(notifications)
      if (asksForNothing(request)) return EMPTY
      const page = pageWithin(PAGE_SIZES.notificationGroups, request.page)
      const { rows, ...records } = await list(call, { viewerId: request.viewerId, filter: filterOf(request), groupedTypes }, page)
      const details = await readDetails(deps.database.db, rows)
      return { groups: rows.map((row) => groupOf(row, details)), ...records }
    },
    async read(call, { viewerId, groupKey }) {
      const { row, ...records } = await read(call, viewerId, groupKey)
      return { groups: [groupOf(row, await readDetails(deps.database.db, [row]))], ...records }
    },
    listAccounts: (call, request) => accounts(call, request, pageWithin(PAGE_SIZES.people, request.page)),
    async countUnread(call, { notifications, groupedTypes }) {
      const request = orNotFound(notifications)
      if (asksForNothing(request)) return { count: 0 }
      const asked = { viewerId: request.viewerId, filter: filterOf(request), groupedTypes }
      return { count: await count(call, asked, rowsWithin(PAGE_SIZES.unread, request.limit)) }
    },
    async dismiss(_call, { viewerId, groupKey }) {
      const key = groupKeyIn(groupKey)
      const wasThere = key && (await transact(deps.database.db, (tx) => removeMembers(tx, viewerId, key)))
      if (!wasThere) throw notFound(`group ${groupKey} is not in the inbox of ${viewerId}`)
      return {}
    },
  })
}

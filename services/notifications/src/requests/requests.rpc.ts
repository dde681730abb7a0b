import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type NotificationRequest, RequestsDefinition } from '@rookery/contracts/notifications'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { type RequestRow, readMerged } from '../policy/index.ts'
import { acceptRequests, dismissRequests } from './answer-requests.ts'
import { listRequests, readRequest } from './list-requests.ts'

const requestOf = (row: RequestRow): NotificationRequest => ({
  id: row.id,
  accountId: row.actorId,
  createdAtMilliseconds: row.createdAt.getTime(),
  updatedAtMilliseconds: row.updatedAt.getTime(),
  notificationsCount: row.notificationsCount,
  statusId: row.statusId ?? '',
})

/** Serves `Requests`. */
export const createRequestsRpc = (deps: {
  database: Database<NotificationsTables>
  statuses: { views: Client<ViewsDefinition> }
}): Handler => {
  const listFor = listRequests(deps)
  const readFor = readRequest(deps)
  const acceptFor = acceptRequests(deps)
  const dismissFor = dismissRequests(deps)
  return handler(RequestsDefinition, {
    async list(call, { viewerId, page }) {
      const { rows, views, cursors } = await listFor(call, viewerId, pageWithin(PAGE_SIZES.people, page))
      return { requests: rows.map(requestOf), views, cursors }
    },
    async read(call, { viewerId, id }) {
      const { rows, views } = await readFor(call, viewerId, id)
      return { requests: rows.map(requestOf), views }
    },
    accept: async (_call, { viewerId, ids }) => ({ count: await acceptFor(viewerId, ids) }),
    dismiss: async (_call, { viewerId, ids }) => ({ count: await dismissFor(viewerId, ids) }),
    async readMerged(_call, { viewerId }) {
      const [row] = await readMerged(deps.database, { recipientId: viewerId })
      return { isMerged: row?.isMerged ?? true }
    },
  })
}

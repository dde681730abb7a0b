import type { Cursors } from '@rookery/contracts/common'
import type { StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { type About, type Hydrated, hydrate, readVisible, viewsOf } from '../inbox/index.ts'
import { type RequestRow, readRequestPage, readRequest as readRequestRow } from '../policy/index.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** Requests, with the accounts and statuses they refer to. */
type RequestList = { rows: RequestRow[]; views: StatusPage }

/** A request as a reference to its account and its latest status. */
const aboutOf = (row: RequestRow): RequestRow & About => ({ ...row, type: 'mention', reportId: null })

/** The requests whose account is visible to the viewer, without hidden statuses. */
const visibleRequests = (rows: readonly (RequestRow & About)[], { accounts, statuses }: Hydrated) => {
  const accountIds = new Set(accounts.map(({ id }) => id))
  const statusIds = new Set(statuses.items.map(({ id }) => id))
  return rows
    .filter(({ actorId }) => accountIds.has(actorId))
    .map((row) => ({ ...row, statusId: row.statusId && statusIds.has(row.statusId) ? row.statusId : null }))
}

/** Lists the viewer's requests, newest first, in one statement; one more for each further read that fills the page past hidden ones. */
export const listRequests =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, page: Page): Promise<RequestList & { cursors: Cursors }> => {
    const { rows, hydrated, cursors } = await readVisible(page, {
      read: async (part) => (await readRequestPage(database, { recipientId: viewerId, page: part })).map(aboutOf),
      hydrate: (some) => hydrate(statuses.views, call, viewerId, some),
      visible: visibleRequests,
    })
    return { rows, views: viewsOf(rows, hydrated), cursors }
  }

/** Reads one request of the viewer. @throws Failure not_found if it is missing, another's, or of a hidden account */
export const readRequest =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, id: string): Promise<RequestList> => {
    const rows = (isId(id) ? await readRequestRow(database, { recipientId: viewerId, id }) : []).map(aboutOf)
    const parts = await hydrate(statuses.views, call, viewerId, rows)
    const visible = visibleRequests(rows, parts)
    if (visible.length === 0) throw notFound(`request ${id} is not ${viewerId}'s`)
    return { rows: visible, views: viewsOf(visible, [parts]) }
  }

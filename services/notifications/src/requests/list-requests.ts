import type { Cursors } from '@rookery/contracts/common'
import type { StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { type About, hydrate, viewsOf } from '../inbox/index.ts'
import { type RequestRow, readRequestPage, readRequest as readRequestRow } from '../policy/index.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** Requests, with the accounts and statuses they refer to. */
type RequestList = { rows: RequestRow[]; views: StatusPage }

/** The requests whose account is visible to the viewer, without hidden statuses: one batch per kind. */
const shown = async ({ statuses }: Deps, call: Call, viewerId: string, rows: readonly RequestRow[]): Promise<RequestList> => {
  const abouts = rows.map((row): RequestRow & About => ({ ...row, type: 'mention', reportId: null }))
  const parts = await hydrate(statuses.views, call, viewerId, abouts)
  const accountIds = new Set(parts.accounts.map(({ id }) => id))
  const statusIds = new Set(parts.statuses.items.map(({ id }) => id))
  const visible = abouts
    .filter(({ actorId }) => accountIds.has(actorId))
    .map((row) => ({ ...row, statusId: row.statusId && statusIds.has(row.statusId) ? row.statusId : null }))
  return { rows: visible, views: viewsOf(visible, [parts]) }
}

/** Lists the viewer's requests, newest first, in one statement. The cursors span those left out, too. */
export const listRequests =
  (deps: Deps) =>
  async (call: Call, viewerId: string, page: Page): Promise<RequestList & { cursors: Cursors }> => {
    const read = await readRequestPage(deps.database, { recipientId: viewerId, page })
    const { rows, cursors } = cursorsOf(page, read, (row) => row.id)
    return { ...(await shown(deps, call, viewerId, rows)), cursors }
  }

/** Reads one request of the viewer. @throws Failure not_found if it is missing, another's, or of a hidden account */
export const readRequest =
  (deps: Deps) =>
  async (call: Call, viewerId: string, id: string): Promise<RequestList> => {
    const rows = isId(id) ? await readRequestRow(deps.database, { recipientId: viewerId, id }) : []
    const list = await shown(deps, call, viewerId, rows)
    if (list.rows.length === 0) throw notFound(`request ${id} is not ${viewerId}'s`)
    return list
  }

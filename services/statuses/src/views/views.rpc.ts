import { BATCHES } from '@rookery/contracts/limits'
import { type ReportList, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { readForViewers } from './read-for-viewers.ts'
import { siftViewers } from './sift-viewers.ts'
import type { Views } from './views.ts'

type Deps = {
  database: Database<StatusesTables>
  clock: Clock
  views: Views
  readReports: (request: { ids: readonly string[]; viewerId: string }) => Promise<ReportList>
}

/** The ids of a call, at most a page of them. @throws Failure malformed */
const few = (ids: string[]): string[] => {
  if (ids.length > BATCHES.views) throw new Failure('malformed', `No more than ${BATCHES.views} records can be asked for at once`)
  return ids
}

/** Serves Views of the contract: for services whose pages refer to statuses, accounts and reports. */
export const createViewsRpc = (deps: Deps): Handler => {
  const forViewers = readForViewers(deps)
  const sift = siftViewers(deps)
  return handler(ViewsDefinition, {
    readStatuses: (_call, { ids, viewerId }) => deps.views.byIds(viewerId, few(ids), 'direct'),
    readAccounts: async (_call, { ids, withNewcomers, withSuspended, recipientId }) => ({
      accounts: await deps.views[withSuspended ? 'accounts' : 'listedAccounts'](few(ids), { withNewcomers, recipientId }),
      cursors: undefined,
    }),
    readVisible: async (_call, { viewerId, ...wanted }) => {
      const [accountIds, statusIds, { reports }] = await Promise.all([
        wanted.accountIds.length > 0
          ? deps.views.listedAccountIds(few(wanted.accountIds), { withNewcomers: true, recipientId: viewerId })
          : [],
        wanted.statusIds.length > 0 ? deps.views.visibleIds(viewerId, few(wanted.statusIds), 'direct') : [],
        wanted.reportIds.length > 0 ? deps.readReports({ ids: few(wanted.reportIds), viewerId }) : { reports: [] },
      ])
      return { accountIds, statusIds, reportIds: reports.map(({ id }) => id) }
    },
    readForViewers: (_call, request) => forViewers(request),
    siftViewers: (_call, request) => sift(request),
    readReports: (_call, request) => deps.readReports({ ...request, ids: few(request.ids) }),
  })
}

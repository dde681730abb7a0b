import { type ReportList, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { readForViewers } from './read-for-viewers.ts'
import { siftViewers } from './sift-viewers.ts'
import type { Views } from './views.ts'

type Given = {
  database: Database<StatusesTables>
  clock: Clock
  views: Views
  readReports: (request: { ids: readonly string[]; viewerId: string }) => Promise<ReportList>
}

/** Answers owners whose pages refer to statuses, accounts and reports. */
export const createViewsRpc = (given: Given): Handler => {
  const forViewers = readForViewers(given)
  const sift = siftViewers(given)
  return handler(ViewsDefinition, {
    readStatuses: (_call, { ids, viewerId }) => given.views.byIds(viewerId, ids, 'direct'),
    readAccounts: async (_call, { ids }) => ({ accounts: await given.views.listedAccounts(ids), cursors: undefined }),
    readVisible: async (_call, { viewerId, ...wanted }) => {
      const [accountIds, statusIds, { reports }] = await Promise.all([
        wanted.accountIds.length > 0 ? given.views.listedAccountIds(wanted.accountIds) : [],
        wanted.statusIds.length > 0 ? given.views.visibleIds(viewerId, wanted.statusIds, 'direct') : [],
        wanted.reportIds.length > 0 ? given.readReports({ ids: wanted.reportIds, viewerId }) : { reports: [] },
      ])
      return { accountIds, statusIds, reportIds: reports.map(({ id }) => id) }
    },
    readForViewers: (_call, { statusId, viewerIds }) => forViewers(statusId, viewerIds),
    siftViewers: (_call, request) => sift(request),
    readReports: (_call, request) => given.readReports(request),
  })
}

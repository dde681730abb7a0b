import { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { readForViewers } from './read-for-viewers.ts'
import { siftViewers } from './sift-viewers.ts'
import type { Views } from './views.ts'

/** Answers owners whose pages refer to statuses and accounts. */
export const createViewsRpc = (given: { database: Database<StatusesTables>; clock: Clock; views: Views }): Handler => {
  const forViewers = readForViewers(given)
  const sift = siftViewers(given)
  return handler(ViewsDefinition, {
    readStatuses: (_call, { ids, viewerId }) => given.views.byIds(viewerId, ids, 'direct'),
    readAccounts: async (_call, { ids }) => ({ accounts: await given.views.listedAccounts(ids), cursors: undefined }),
    readForViewers: (_call, { statusId, viewerIds }) => forViewers(statusId, viewerIds),
    siftViewers: (_call, request) => sift(request),
  })
}

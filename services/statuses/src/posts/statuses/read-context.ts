import { StatusBody, type StatusContext } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { CONTEXT_LIMITS, threadOrder } from './context.rules.ts'
import { readAncestors, readDescendants } from './status.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }

/**
 * The thread around a status: what it answers, root first, and what answers it (spec, GET context; beyond-the-spec 1.11).
 * @throws Failure not_found when the viewer cannot see the status
 */
export const readContext =
  ({ database, views }: Deps) =>
  async ({ id, viewerId }: { id: string; viewerId: string }): Promise<StatusContext> => {
    const limits = viewerId ? CONTEXT_LIMITS.member : CONTEXT_LIMITS.anonymous
    const own = await views.byIds(viewerId, [id], 'direct')
    const status = orNotFound(own.statuses.find((view) => view.id === id))
    const [ancestors, descendants] = await Promise.all([
      readAncestors(database, { id, limit: limits.ancestors }),
      readDescendants(database, { id, limit: limits.descendants, depth: limits.depth }),
    ])
    const ancestorIds = ancestors.map((ancestor) => ancestor.id).reverse()
    const descendantIds = threadOrder(id, status.accountId, descendants)
    const page = await views.byIds(viewerId, [...ancestorIds, ...descendantIds], 'thread')
    return { page, ancestorIds, descendantIds, originUri: StatusBody.decode(status.body).origin?.uri ?? '' }
  }

import type { StatusContext } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { CONTEXT_LIMITS } from './context.rules.ts'
import { readContextSkeleton } from './context.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }

/**
 * The thread around a status: its ancestors, root first, and its descendants (spec, GET context; beyond-the-spec 1.11).
 * @throws Failure not_found if the viewer cannot see the status
 */
export const readContext =
  ({ database, views }: Deps) =>
  async ({ id, viewerId }: { id: string; viewerId: string }): Promise<StatusContext> => {
    const limits = viewerId ? CONTEXT_LIMITS.member : CONTEXT_LIMITS.anonymous
    const { skeleton, thread, uri } = await readContextSkeleton(database, { id, viewerId: viewerId || '0', ...limits })
    const [itself] = await views.shown(viewerId, { ...skeleton, ids: [id] }, 'direct')
    if (!itself) throw notFound(`status ${id} is not shown to ${viewerId || 'everyone'}`)
    const { ancestorIds, descendantIds, aroundIds } = thread
    const page = await views.present(viewerId, { ...skeleton, ids: aroundIds }, 'thread')
    const isOfAnother = skeleton.heads.get(id)!.authorDomain !== undefined
    return { page, ancestorIds, descendantIds, originUri: (isOfAnother && uri) || '' }
  }

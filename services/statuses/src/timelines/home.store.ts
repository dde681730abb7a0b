import type { Database, Page } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../views/index.ts'

export const MAX_ID = '9223372036854775807'

/** $1 viewer, $2 below, $3 above, $4 limit. */
const home = (order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.home-${order}`,
    `select status_id, reblog_of_id from feed where account_id = $1 and status_id < $2 and status_id > $3 order by status_id ${order} limit $4`,
    { withAudience: true },
  )

const STATEMENTS = { asc: home('asc'), desc: home('desc') }

/** A part of somebody's home: one statement. */
export const readHomeSkeleton = async (database: Database<StatusesTables>, viewerId: string, page: Page): Promise<Skeleton> => {
  const read = STATEMENTS[page.minId ? 'asc' : 'desc']
  return skeletonOf(await read(database, [viewerId, page.maxId ?? MAX_ID, page.minId ?? page.sinceId ?? '0', page.limit]))
}

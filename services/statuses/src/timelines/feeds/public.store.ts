import { type Database, inBothOrders, keyset, type Page } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import { byOpenAuthor, HAS_MEDIA, IS_LISTED } from './listing.store.ts'

/** $1 viewer, $2 below, $3 above, $4 limit. The conditions repeat those of the indexes, so that Postgres may use them. */
const listed = (name: string, condition: string, order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.${name}-${order}`,
    `select id status_id, reblog_of_id from status_head where ${condition} and id < $2 and id > $3
       and ${byOpenAuthor('author_id')} order by id ${order} limit $4`,
    { withAudience: false, types: PAGE_TYPES },
  )

const WITH_MEDIA = `${IS_LISTED} and ${HAS_MEDIA}`

const STATEMENTS = {
  all: inBothOrders((order) => listed('public', IS_LISTED, order)),
  media: inBothOrders((order) => listed('public-media', WITH_MEDIA, order)),
}

/** A part of the public timeline: one statement. */
export const readPublicSkeleton = async (
  database: Database<StatusesTables>,
  wanted: { viewerId: string; onlyMedia: boolean },
  page: Page,
): Promise<Skeleton> => {
  const { order, bounds } = keyset(page)
  return skeletonOf(await STATEMENTS[wanted.onlyMedia ? 'media' : 'all'][order](database, [wanted.viewerId || '0', ...bounds]))
}

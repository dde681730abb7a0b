import { type Database, firstRows, inBothOrders, keyset, type Order, onceFound, type Page } from '@rookery/database'
import { sql } from 'kysely'
import { isDiscoverable, isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { commonSkeletonStatement, PAGE_TYPES, type PageValues, type Skeleton } from '../../views/index.ts'
import { byShown, LINK_DECISION, LINKED_PAGE, type Shown } from './trend.store.ts'

type Wanted = { digest: string; floor: number }

const STATEMENTS = byShown((isShown, name) =>
  inBothOrders((order: Order) =>
    commonSkeletonStatement<PageValues & Wanted, boolean>(`trends.link-timeline-${name}-${order}`, {
      page: ({ digest, below, above, limit }) =>
        firstRows(
          sql`select c.status_id, h.reblog_of_id from status_card c
            cross join lateral (select author_id, visibility, reblog_of_id from status_head where id = c.status_id offset 0) h
            cross join lateral (select discoverable, is_active, is_silenced, is_suspended from account where id = h.author_id offset 0) a
            where c.digest = ${digest} and c.status_id < ${below} and c.status_id > ${above} and ${isPublicStatus('h')}
              and ${isDiscoverable('a')}
            order by c.status_id ${sql.raw(order)}`,
          limit,
        ),
      note: ({ digest, floor }) =>
        sql`exists (select 1 from trend t ${LINKED_PAGE(sql`${digest}`)}
          where t.kind = 'link' and t.key = ${digest} and ${onceFound(sql`t.rank > ${floor}`)} and ${isShown(LINK_DECISION)})`,
      types: { ...PAGE_TYPES, digest: 'text', floor: 'float8' },
    }),
  ),
)

/** A part of the public statuses of discoverable authors that link to a page, and whether it trends: one statement, and one more for signed-in viewers. */
export const readLinkSkeleton = async (
  database: Database<StatusesTables>,
  { viewerId, shown, ...wanted }: Wanted & { viewerId: string; shown: Shown },
  page: Page,
): Promise<{ skeleton: Skeleton; isTrending: boolean }> => {
  const { order, below, above, limit } = keyset(page)
  const skeleton = await STATEMENTS[shown][order](database, { ...wanted, viewerId: viewerId || '0', below, above, limit })
  return { skeleton, isTrending: skeleton.note }
}

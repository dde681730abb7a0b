import { type Database, firstRows, inBothOrders, keyset, type Order, type Page } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isUnrestrictedAccount } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { commonSkeletonStatement, PAGE_TYPES, type PageValues, type Skeleton } from '../../views/index.ts'
import { HAS_MEDIA, IS_LISTED, ORIGINS, type Origin } from './listing.store.ts'

/** The conditions repeat those of the indexes, so that Postgres can use them. */
const listed = (name: string, condition: RawBuilder<unknown>, order: Order) =>
  commonSkeletonStatement<PageValues>(`timelines.${name}-${order}`, {
    page: ({ below, above, limit }) =>
      firstRows(
        sql`select id status_id, reblog_of_id from status_head where ${condition} and id < ${below} and id > ${above}
          and ${isUnrestrictedAccount('author_id')} order by id ${sql.raw(order)}`,
        limit,
      ),
    types: PAGE_TYPES,
  })

/** The timelines of an origin: all statuses, and those with media. */
const timelinesOf = (name: string, condition: RawBuilder<unknown>) => ({
  all: inBothOrders((order) => listed(name, condition, order)),
  media: inBothOrders((order) => listed(`${name}-media`, sql`${condition} and ${HAS_MEDIA}`, order)),
})

const STATEMENTS = {
  everywhere: timelinesOf('public', IS_LISTED),
  local: timelinesOf('public-local', sql`${IS_LISTED} and ${ORIGINS.local}`),
  remote: timelinesOf('public-remote', sql`${IS_LISTED} and ${ORIGINS.remote}`),
}

/** A part of the public timeline, or of its local or remote part: one statement, and one more for signed-in viewers. */
export const readPublicSkeleton = async (
  database: Database<StatusesTables>,
  wanted: { viewerId: string; onlyMedia: boolean; origin: Origin },
  page: Page,
): Promise<Skeleton> => {
  const { order, below, above, limit } = keyset(page)
  return STATEMENTS[wanted.origin][wanted.onlyMedia ? 'media' : 'all'][order](database, {
    viewerId: wanted.viewerId || '0',
    below,
    above,
    limit,
  })
}

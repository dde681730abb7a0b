import { type Database, inBothOrders, keyset, type Order, type Page } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'
import { onList } from './feed-rule.store.ts'
import { authors, windowOf } from './window.store.ts'

/** The viewer is the owner; so many statuses of members are looked at. */
type ListPage = PageValues & { listId: string; now: Date; size: number }

/** How much was looked at, and its ends. */
type ListNote = { isOwned: boolean; count: number; lowest: string | null; highest: string | null }

const parts =
  (order: Order) =>
  ({ viewerId, listId, below, above, limit, size, now }: ListPage) => {
    const members = sql`select m.account_id key from list l join list_member m on m.list_id = l.id
      where l.id = ${listId} and l.account_id = ${viewerId}`
    const lists = sql`select id, account_id, replies_policy from list where id = ${listId} and account_id = ${viewerId}`
    const reader = { reader: sql`${viewerId}`, now: sql`${now}`, order, limit: sql`${limit}` }
    return sql`${windowOf([authors(members)], { below: sql`${below}`, above: sql`${above}`, size: sql`${size}` }, order)},
      shown as materialized (${onList(reader, lists)})`
  }

const shown = (order: Order) =>
  skeletonStatement<ListPage, ListNote>(`timelines.list-${order}`, {
    parts: parts(order),
    page: () => sql`select id status_id, reblog_of_id from shown`,
    note: ({ listId, viewerId }) => sql`
      (select json_build_object('isOwned', exists (select 1 from list where id = ${listId} and account_id = ${viewerId}),
        'count', count(*), 'lowest', min(id)::text, 'highest', max(id)::text) from part)`,
    types: { ...PAGE_TYPES, listId: 'bigint', size: 'int', now: 'timestamptz' },
  })

const STATEMENTS = inBothOrders(shown)

/** What was looked at for a part of a list: whether that was all there is, and the ids where it ended. */
export type Looked = { isOwned: boolean; isAll: boolean; lowest: string; highest: string }

/** A part of what a list shows, by looking at so many posts of its members: one statement. */
export const readListSkeleton = async (
  database: Database<StatusesTables>,
  wanted: { ownerId: string; listId: string; size: number; now: Date },
  page: Page,
): Promise<{ skeleton: Skeleton; looked: Looked }> => {
  const { order, below, above, limit } = keyset(page)
  const { ownerId, listId, size, now } = wanted
  const skeleton = await STATEMENTS[order](database, { viewerId: ownerId, listId, size, now, below, above, limit })
  const { isOwned, count, lowest, highest } = skeleton.note
  return { skeleton, looked: { isOwned, isAll: count < size, lowest: lowest ?? '', highest: highest ?? '' } }
}

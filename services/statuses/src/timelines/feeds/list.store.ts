import { type Database, inBothOrders, type Order } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type PageValues, pageKey, type Skeleton, skeletonStatement } from '../../views/index.ts'
import { lastOf } from './belonging.store.ts'
import { onList } from './feed-rule.store.ts'
import type { Look } from './look.rules.ts'
import { authors, windowOf } from './window.store.ts'

/** The viewer is the owner; `size` statuses of members are scanned. */
type ListPage = PageValues & { listId: string; now: Date; size: number; guess: string }

/** How much was scanned, and up to which id. */
type ListNote = { isOwned: boolean; looked: number; lookedTo: string | null }

const parts =
  (order: Order) =>
  ({ viewerId, listId, below, above, limit, size, guess, now }: ListPage) => {
    const members = sql`select m.account_id key from list l join list_member m on m.list_id = l.id
      where l.id = ${listId} and l.account_id = ${viewerId}`
    const lists = sql`select id, account_id, replies_policy from list where id = ${listId} and account_id = ${viewerId}`
    const reader = { reader: sql`${viewerId}`, now: sql`${now}`, order, limit: sql`${limit}` }
    return sql`${windowOf([authors(members)], { below: sql`${below}`, above: sql`${above}`, guess: sql`${guess}`, size: sql`${size}` }, order)},
      shown as materialized (${onList(reader, lists)})`
  }

const shown = (order: Order) =>
  skeletonStatement<ListPage, ListNote>(`timelines.list-${order}`, {
    parts: parts(order),
    page: () => sql`select id status_id, reblog_of_id from shown`,
    note: ({ listId, viewerId }) => sql`
      json_build_object('isOwned', exists (select 1 from list where id = ${listId} and account_id = ${viewerId}),
        'looked', (select count(*) from part), 'lookedTo', ${lastOf('part', order)}::text)`,
    types: { ...PAGE_TYPES, listId: 'bigint', size: 'int', guess: 'bigint', now: 'timestamptz' },
    isLong: true,
    keyOf: (given) => `${given.listId} ${pageKey(given)}`,
  })

const STATEMENTS = inBothOrders(shown)

/** A part of a list, and how much was scanned for it: one statement. */
export const readListSkeleton = async (
  database: Database<StatusesTables>,
  { ownerId, order, ...list }: { ownerId: string; listId: string; order: Order; now: Date },
  { count, ...look }: Look,
): Promise<{ skeleton: Skeleton; isOwned: boolean; seen: { looked: number; lookedTo: string | null } }> => {
  const skeleton = await STATEMENTS[order](database, { viewerId: ownerId, ...list, ...look, limit: count })
  const { isOwned, ...seen } = skeleton.note
  return { skeleton, isOwned, seen }
}

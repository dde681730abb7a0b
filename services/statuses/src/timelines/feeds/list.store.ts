import { type Database, inBothOrders, keyset, type Page } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import { listed, placed } from './feed-rule.store.ts'
import { authors, windowOf } from './window.store.ts'

/** $1 owner, $2 below, $3 above, $4 limit, $5 list, $6 now, $7 statuses looked at. Says of what was looked at how much it was and its ends. */
const shown = (order: 'asc' | 'desc') => {
  const members = 'select m.account_id key from list l join list_member m on m.list_id = l.id where l.id = $5 and l.account_id = $1'
  const lists = 'select id, account_id, replies_policy from list where id = $5 and account_id = $1'
  const parts = [
    windowOf([authors(members)], { below: '$2', above: '$3', size: '$7' }, order),
    placed('select id from part'),
    listed(lists, { after: '($1::bigint - 1)', upTo: '$1', now: '$6' }),
  ]
  return skeletonStatement(`timelines.list-${order}`, `select id status_id, reblog_of_id from listed order by id ${order} limit $4`, {
    withAudience: true,
    parts: parts.join(', '),
    note: "(select concat_ws(',', (select count(*) from list where id = $5 and account_id = $1), count(*), min(id), max(id)) from part)",
  })
}

const STATEMENTS = inBothOrders(shown)

/** What was looked at for a part of a list: whether that was all there is, and the ids where it ended. */
export type Looked = { isOwned: boolean; isAll: boolean; lowest: string; highest: string }

/** A part of what a list shows, by looking at so many posts of its members: one statement. */
export const readListSkeleton = async (
  database: Database<StatusesTables>,
  wanted: { ownerId: string; listId: string; size: number; now: Date },
  page: Page,
): Promise<{ skeleton: Skeleton; looked: Looked }> => {
  const { order, bounds } = keyset(page)
  const skeleton = skeletonOf(await STATEMENTS[order](database, [wanted.ownerId, ...bounds, wanted.listId, wanted.now, wanted.size]))
  const [owned, count, lowest = '', highest = ''] = skeleton.note?.split(',') ?? []
  return { skeleton, looked: { isOwned: owned === '1', isAll: Number(count) < wanted.size, lowest, highest } }
}

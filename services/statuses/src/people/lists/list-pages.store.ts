import { orAll, prepared, preparedPage } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { OwnedList } from './list.store.ts'

const lists = query.selectFrom('list as l').select(['l.id', 'l.title', 'l.repliesPolicy', 'l.isExclusive'])

/** A list of an owner; no row when it is another's. */
export const readListRow = prepared('lists.read', (given: OwnedList) =>
  lists.where('l.id', '=', given.id).where('l.accountId', '=', given.viewerId),
)

/** The lists of an owner, in the order they were made. */
export const readListRows = prepared('lists.all', (given: { viewerId: string }) =>
  lists.where('l.accountId', '=', given.viewerId).orderBy('l.id'),
)

/** Those of the owner's lists that an account is on. Each list is looked up by itself: a popular account is on very many of other people's. */
export const readListRowsHolding = prepared('lists.holding', (given: { viewerId: string; memberId: string }) =>
  lists
    .where('l.accountId', '=', given.viewerId)
    .where(sql<boolean>`(select true from list_member m where m.list_id = l.id and m.account_id = ${given.memberId})`)
    .orderBy('l.id'),
)

/** Members of a list, the latest first; a page by min_id comes oldest first. Without a limit: all of them. */
export const readMembers = preparedPage('lists.members', (given: OwnedList, { order, below, above, limit }) =>
  query
    .selectFrom('listMember as m')
    .select(['m.accountId', 'm.id as cursor'])
    .where('m.listId', '=', ({ selectFrom }) =>
      selectFrom('list').select('id').where('id', '=', given.id).where('accountId', '=', given.viewerId),
    )
    .where('m.id', '<', below)
    .where('m.id', '>', above)
    .orderBy('m.id', order)
    .limit(orAll(limit)),
)

import { orAll, prepared, preparedPage } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { OwnedList } from './list.store.ts'

const lists = query.selectFrom('list as l').select(['l.id', 'l.title', 'l.repliesPolicy', 'l.isExclusive'])

/** A list of an owner; no row if it is another's. */
export const readListRow = prepared('lists.read', (given: OwnedList) =>
  lists.where('l.id', '=', given.id).where('l.accountId', '=', given.viewerId),
)

/** The lists of an owner, in order of creation. */
export const readListRows = prepared('lists.all', (given: { viewerId: string }) =>
  lists.where('l.accountId', '=', given.viewerId).orderBy('l.id'),
)

/** The owner's lists with a member. Each list is looked up separately: a popular account is on very many lists of others. */
export const readListRowsHolding = prepared('lists.holding', (given: { viewerId: string; memberId: string }) =>
  lists
    .where('l.accountId', '=', given.viewerId)
    .where(sql<boolean>`(select true from list_member m where m.list_id = l.id and m.account_id = ${given.memberId})`)
    .orderBy('l.id'),
)

/** Members of a list, latest first; a page by min_id comes oldest first. All if there is no limit. */
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

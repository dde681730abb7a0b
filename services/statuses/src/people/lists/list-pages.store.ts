import { type Database, inBothOrders, keyset, type Page, type Statement, statement } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { RepliesPolicy } from '../../database/tables/list.ts'
import type { OwnedList } from './list.store.ts'

type Row = [id: string, title: string, repliesPolicy: RepliesPolicy, isExclusive: boolean]

const COLUMNS = 'l.id, l.title, l.replies_policy, l.is_exclusive'

/** The list $1 of $2; nothing when it is another's. */
export const readListRow = statement<Row>('lists.read', `select ${COLUMNS} from list l where l.id = $1 and l.account_id = $2`)

/** The lists of $1, in the order they were made. */
export const readListRows = statement<Row>('lists.all', `select ${COLUMNS} from list l where l.account_id = $1 order by l.id`)

/** Those of the lists of $1 that $2 is on. Each list is looked up by itself: somebody well known is on very many of other people's. */
export const readListRowsHolding = statement<Row>(
  'lists.holding',
  `select ${COLUMNS} from list l
   where l.account_id = $1 and (select true from list_member m where m.list_id = l.id and m.account_id = $2) order by l.id`,
)

type MemberRow = [accountId: string, cursor: string]

/** $1 list, $2 owner, $3 below, $4 above, $5 limit or null. */
const members = (order: 'asc' | 'desc'): Statement<MemberRow> =>
  statement(
    `lists.members-${order}`,
    `select m.account_id, m.id from list_member m
     where m.list_id = (select id from list where id = $1 and account_id = $2) and m.id < $3 and m.id > $4
     order by m.id ${order} limit $5`,
  )

const MEMBERS = inBothOrders(members)

/** Who is on a list, the latest to come first; a page by min_id comes oldest first. Without a limit: everybody. */
export const readMembers = async (
  database: Database<StatusesTables>,
  { id, ownerId }: OwnedList,
  page: Page,
): Promise<{ accountId: string; cursor: string }[]> => {
  const {
    order,
    bounds: [below, above, limit],
  } = keyset(page)
  const rows = await MEMBERS[order](database, [id, ownerId, below, above, limit || null])
  return rows.map(([accountId, cursor]) => ({ accountId, cursor }))
}

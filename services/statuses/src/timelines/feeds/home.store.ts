import { type Database, inBothOrders, keyset, type Page, statement } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import type { Home } from './home.rules.ts'

/** What stands in the row of a home, in the order of the columns, or only how many its owner follows. */
const NOTE = `(select concat_ws(',', a.following_count, h.floor_id, h.is_resting, h.read_on)
  from account a left join home h on h.account_id = a.id where a.id = $1)`

/** $1 viewer, $2 below, $3 above, $4 limit. */
const home = (order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.home-${order}`,
    `select status_id, reblog_of_id from feed where account_id = $1 and status_id < $2 and status_id > $3
       and status_id >= coalesce((select floor_id from home where account_id = $1), 0) order by status_id ${order} limit $4`,
    { withAudience: true, note: NOTE, types: PAGE_TYPES },
  )

const STATEMENTS = inBothOrders(home)

/** A part of what somebody's home stores, and what is known of the home: one statement. */
export const readHomeSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  page: Page,
): Promise<{ skeleton: Skeleton; home: Home }> => {
  const { order, bounds } = keyset(page)
  const skeleton = skeletonOf(await STATEMENTS[order](database, [viewerId, ...bounds]))
  const [following = '0', floorId, isResting, readOn = ''] = skeleton.note?.split(',') ?? []
  const row = floorId === undefined ? undefined : { floorId, isResting: isResting === 't', readOn }
  return { skeleton, home: { followsSomebody: following !== '0', row } }
}

/** Notes that somebody ($1) read their home on a day ($2). */
export const noteReading = statement<[]>('timelines.note-reading', 'update home set read_on = $2 where account_id = $1')

/** Accounts above one id ($2) in order, at most so many ($3); with a lower-case username ($1) that one only. */
export const readOwners = statement<[id: string]>(
  'timelines.owners',
  "select id from account where ($1 = '' or lower(username) = $1) and id > $2 order by id limit $3",
)

/** The homes ($1 of them) that were compared longest ago, which from now on ($2) they are not. */
export const takeToCompare = statement<[accountId: string]>(
  'timelines.take-to-compare',
  `update home set compared_at = $2 where account_id in (
     select account_id from home where not is_resting order by compared_at nulls first, account_id limit $1 for update skip locked)
   returning account_id`,
)

import { type Database, firstRows, inBothOrders, keyset, type Order, type Page, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type PageValues, pageKey, type Skeleton, skeletonStatement } from '../../views/index.ts'
import { pulledAuthorsOf } from './feed-rule.store.ts'
import type { Home } from './home.rules.ts'

/** The row of a home, and the number of follows of its owner. */
export type HomeNote = { followingCount: number; floorId: string | null; isResting: boolean | null; readOn: string | null; pulls: boolean }

/** The state of an account's home, and whether it pulls statuses, as a value of a statement. */
export const homeNote = (accountId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select json_build_object('followingCount', a.following_count, 'floorId', h.floor_id::text, 'isResting', h.is_resting, 'readOn', h.read_on,
    'pulls', exists (${pulledAuthorsOf(accountId)}))
  from account a left join home h on h.account_id = a.id where a.id = ${accountId})`

/** Decodes the state of a home for the rules. */
export const homeOf = (note: HomeNote | null): { home: Home; pulls: boolean } => {
  const { followingCount = 0, floorId = null, isResting, readOn, pulls = false } = note ?? {}
  const row = floorId === null ? undefined : { floorId, isResting: isResting ?? false, readOn: readOn ?? '' }
  return { home: { followsSomeone: followingCount > 0, row }, pulls }
}

const home = (order: Order) =>
  skeletonStatement<PageValues, HomeNote | null>(`timelines.home-${order}`, {
    page: ({ viewerId, below, above, limit }) =>
      firstRows(
        sql`select status_id, reblog_of_id from feed where account_id = ${viewerId} and status_id < ${below} and status_id > ${above}
          and status_id >= coalesce((select floor_id from home where account_id = ${viewerId}), 0) order by status_id ${sql.raw(order)}`,
        limit,
      ),
    note: ({ viewerId }) => homeNote(sql`${viewerId}`),
    types: PAGE_TYPES,
    keyOf: pageKey,
  })

const STATEMENTS = inBothOrders(home)

/** A part of the stored entries of a home, its state, and whether it pulls statuses: one statement. */
export const readHomeSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  page: Page,
): Promise<{ skeleton: Skeleton; home: Home; pulls: boolean }> => {
  const { order, below, above, limit } = keyset(page)
  const skeleton = await STATEMENTS[order](database, { viewerId, below, above, limit })
  return { skeleton, ...homeOf(skeleton.note) }
}

/** Records the day on which a home was read. */
export const noteReading = prepared('timelines.note-reading', ({ accountId, day }: { accountId: string; day: string }) =>
  query.updateTable('home').set({ readOn: day }).where('accountId', '=', accountId),
)

/** Local accounts above an id, in order; with a lower-case username only that one. */
export const readOwners = prepared(
  'timelines.owners',
  ({ username, after, limit }: { username: string; after: string; limit: number }) => sql<{ id: string }>`
    select id from account where (${username}::text = '' or lower(username) = ${username}) and domain is null and id > ${after} order by id limit ${limit}`,
)

/** Takes the least recently compared homes, and marks them as compared. */
export const takeToCompare = prepared(
  'timelines.take-to-compare',
  ({ limit, now }: { limit: number; now: Date }) => sql<{ accountId: string }>`
    update home set compared_at = ${now} where account_id in (
      select account_id from home where not is_resting order by compared_at nulls first, account_id limit ${limit} for update skip locked)
    returning account_id`,
)

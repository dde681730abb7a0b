import { hasRow, prepared, type Tx } from '@rookery/database'
import { timeOfId } from '@rookery/ids'
import { sql } from 'kysely'
import { firstIdOn } from '../../database/days.store.ts'
import type { StatusesTables } from '../../database/schema.ts'

const DAY = 86_400_000
/** Days of trends and histories, including today (beyond-the-spec 1.16). */
const DAYS = 7

const markDays = prepared(
  'uses.mark',
  ({ accountIds, days }: { accountIds: readonly string[]; days: readonly number[] }) => sql<never>`
    insert into pending_use (account_id, day)
    select distinct account_id, day from unnest(${accountIds}::bigint[], ${days}::int[]) as marked (account_id, day)
    order by account_id, day on conflict do nothing`,
)

const markPosted = prepared(
  'uses.mark-posted',
  ({ accountId, first, last }: { accountId: string; first: number; last: number }) => sql<never>`
    insert into pending_use (account_id, day)
    select ${accountId}::bigint, day from generate_series(${first}::int, ${last}::int) day
    where ${hasRow(sql`from status_head
      where author_id = ${accountId} and id >= ${firstIdOn('day')} and id < ${firstIdOn('day + 1')}`)}
    order by day on conflict do nothing`,
)

/** Marks the authors' days of these statuses, so that the trends job counts their tags and links again. Marking and counting are idempotent. */
export const markUses = async (tx: Tx<StatusesTables>, statuses: readonly { authorId: string; statusId: string }[]): Promise<void> => {
  const days = statuses.map(({ statusId }) => Math.floor(timeOfId(statusId) / DAY))
  await markDays(tx, { accountIds: statuses.map(({ authorId }) => authorId), days })
}

/** Marks all recent days of an account, so that the trends job counts them again. `now` is in milliseconds since 1970. */
export const markRecentUses = async (tx: Tx<StatusesTables>, accountId: string, now: number): Promise<void> => {
  const today = Math.floor(now / DAY)
  await markPosted(tx, { accountId, first: today - DAYS + 1, last: today })
}

import { hasRow, type Tx } from '@rookery/database'
import { timeOfId } from '@rookery/ids'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

const DAY = 86_400_000
/** Days that trends and histories look back on, today among them (beyond-the-spec 1.16). */
const DAYS = 7

/**
 * Has the job of trends count again which tags and links these authors used on the days of these statuses. Marking twice is the same as once,
 * and so is counting.
 */
export const markUses = async (tx: Tx<StatusesTables>, statuses: readonly { authorId: string; statusId: string }[]): Promise<void> => {
  const [authors, days] = [statuses.map(({ authorId }) => authorId), statuses.map(({ statusId }) => Math.floor(timeOfId(statusId) / DAY))]
  await sql`
    insert into pending_use (account_id, day)
    select distinct account_id, day from unnest(${authors}::bigint[], ${days}::int[]) as marked (account_id, day)
    order by account_id, day on conflict do nothing`.execute(tx)
}

/** Has it count again what an account used on every day it looks back on. `now` is in milliseconds since 1970. */
export const markRecentUses = async (tx: Tx<StatusesTables>, accountId: string, now: number): Promise<void> => {
  const today = Math.floor(now / DAY)
  await sql`
    insert into pending_use (account_id, day)
    select ${accountId}::bigint, day from generate_series(${today - DAYS + 1}::int, ${today}::int) day
    where ${hasRow(sql`from status_head
      where author_id = ${accountId} and id >= (day::bigint * ${DAY}) << 16 and id < ((day + 1)::bigint * ${DAY}) << 16`)}
    order by day on conflict do nothing`.execute(tx)
}

import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

/** Notifications that a digest is made of; more are not named. */
const MAX_LISTED = 40

/** Whose unread notifications are asked for, and since when. */
type DueDigest = { readonly accountId: string; readonly after: Date }

type Unread = { accountId: string; id: string; type: string; actorId: string; statusId: string | null }

/** The newest of each person's notifications above their marker and after a moment, without those held back, newest first. */
export const readUnread = async (tx: Tx<NotificationsTables>, due: readonly DueDigest[]): Promise<Unread[]> => {
  const { rows } = await sql<Unread>`
    select due.account_id, unread.*
    from unnest(${due.map(({ accountId }) => accountId)}::bigint[], ${due.map(({ after }) => after)}::timestamptz[]) as due (account_id, after)
    cross join lateral (
      select id, type, actor_id, status_id from notification
       where recipient_id = due.account_id and not filtered and created_at > due.after
         and id > coalesce((select last_read_id from marker where account_id = due.account_id and timeline = 'notifications'), 0)
       order by id desc limit ${sql.lit(MAX_LISTED)}) unread
    order by due.account_id, unread.id desc`.execute(tx)
  return rows
}

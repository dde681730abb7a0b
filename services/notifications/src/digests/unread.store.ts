import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

/** Maximum notifications per digest. */
const MAX_LISTED = 40

/** An account whose digest is due, and the time since which its notifications count. */
type DueDigest = { readonly accountId: string; readonly after: Date }

type Unread = { accountId: string; id: string; type: string; actorId: string; statusId: string | null }

/** The newest unread notifications of each account since a time, without filtered ones, newest first. */
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

import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { groupKeyOf } from '../inbox/index.ts'

type Held = { id: string; type: string; statusId: string | null; createdAt: Date }

/** Shows up to `max` filtered notifications of accounts that this person accepted, in their groups. Returns how many. */
export const mergeSome = async (tx: Tx<NotificationsTables>, recipientId: string, max: number): Promise<number> => {
  const { rows } = await sql<Held>`
    select held.* from notification_permission permission
    cross join lateral (
      select id, type, status_id, created_at from notification n
       where n.recipient_id = permission.recipient_id and n.actor_id = permission.actor_id and n.filtered limit ${max}::bigint
    ) held
    where permission.recipient_id = ${recipientId} and not permission.is_merged limit ${max}::bigint`.execute(tx)
  if (rows.length === 0) return 0
  const keys = rows.map((row) => groupKeyOf({ ...row, at: row.createdAt.getTime() }) ?? null)
  await sql`
    update notification set filtered = false, group_key = merged.group_key
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${keys}::text[]) as merged (id, group_key)
     where notification.id = merged.id and notification.filtered`.execute(tx)
  return rows.length
}

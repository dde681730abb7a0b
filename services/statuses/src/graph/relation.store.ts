import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../database/schema.ts'

/** What two people are to each other, as far as it decides whether one is told of the other's act. */
export type RelationRow = {
  has_block: boolean
  wants_notifications: boolean
  recipient_follows_actor: boolean
  actor_follows_recipient: boolean
  actor_created_at: Date
}

/** Reads it within the act's own transaction; undefined when the actor is gone. The status is empty where the act is not about one. */
export const readRelation = async (
  tx: Tx<StatusesTables>,
  { recipientId, actorId, statusId, now }: { recipientId: string; actorId: string; statusId: string; now: Date },
): Promise<RelationRow | undefined> => {
  const { rows } = await sql<RelationRow>`
    select
      exists (select 1 from block where (account_id = ${recipientId} and target_id = ${actorId})
        or (account_id = ${actorId} and target_id = ${recipientId})) has_block,
      not exists (select 1 from mute where account_id = ${recipientId} and target_id = ${actorId} and notifications
        and (expires_at is null or expires_at > ${now}))
      and not exists (select 1 from thread_mute t join status_head h on h.thread_id = t.thread_id
        where t.account_id = ${recipientId} and h.id = ${statusId || null}) wants_notifications,
      exists (select 1 from follow where account_id = ${recipientId} and target_id = ${actorId}) recipient_follows_actor,
      exists (select 1 from follow where account_id = ${actorId} and target_id = ${recipientId}) actor_follows_recipient,
      created_at actor_created_at
    from account where id = ${actorId}`.execute(tx)
  return rows[0]
}

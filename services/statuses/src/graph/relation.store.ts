import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../database/schema.ts'

/** What two people are to each other, as far as it decides whether one is told of the other's act. */
export type RelationRow = {
  /** Of the act among those asked for, from 1. */
  place: number
  has_block: boolean
  wants_notifications: boolean
  recipient_follows_actor: boolean
  actor_follows_recipient: boolean
  actor_created_at: Date
  is_actor_limited: boolean
}

type Act = { recipientId: string; actorId: string; statusId: string }

/** Reads it within the acts' own transaction; an act whose actor is gone is left out. The status is empty where an act is not about one. */
export const readRelations = async (tx: Tx<StatusesTables>, acts: readonly Act[], now: Date): Promise<RelationRow[]> => {
  const recipients = acts.map(({ recipientId }) => recipientId)
  const actors = acts.map(({ actorId }) => actorId)
  const statuses = acts.map(({ statusId }) => statusId || null)
  const { rows } = await sql<RelationRow>`
    select act.place::int,
      exists (select 1 from block where (account_id = recipient and target_id = actor) or (account_id = actor and target_id = recipient)) has_block,
      not exists (select 1 from mute where account_id = recipient and target_id = actor and notifications
        and (expires_at is null or expires_at > ${now}))
      and not exists (select 1 from thread_mute t join status_head h on h.thread_id = t.thread_id
        where t.account_id = recipient and h.id = act.status_id) wants_notifications,
      exists (select 1 from follow where account_id = recipient and target_id = actor) recipient_follows_actor,
      exists (select 1 from follow where account_id = actor and target_id = recipient) actor_follows_recipient,
      account.created_at actor_created_at, account.is_silenced is_actor_limited
    from unnest(${recipients}::bigint[], ${actors}::bigint[], ${statuses}::bigint[]) with ordinality as act (recipient, actor, status_id, place)
    join account on account.id = actor
    order by act.place`.execute(tx)
  return rows
}

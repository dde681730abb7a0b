import { type RawBuilder, sql } from 'kysely'

/** No more requests, and no more notifications of one, are counted (beyond-the-spec 1.1, NotificationPolicy). */
export const MAX_COUNTED: RawBuilder<number> = sql.lit(100)

/** `from … where …`: the mentions that a row of notification_request holds, named `mention`. */
export const pendingOf = (request: string): RawBuilder<unknown> => {
  const [id, recipientId, actorId] = ['id', 'recipient_id', 'actor_id'].map((column) => sql.ref(`${request}.${column}`))
  return sql`from notification mention where mention.recipient_id = ${recipientId} and mention.actor_id = ${actorId}
    and mention.type = 'mention' and mention.id >= ${id} and mention.filtered`
}

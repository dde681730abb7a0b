import { type RawBuilder, sql } from 'kysely'

/** The maximum counts of requests, and of notifications of one (beyond-the-spec 1.1, NotificationPolicy). */
export const MAX_COUNTED: RawBuilder<number> = sql.lit(100)

/** Notification types that open a request when filtered (beyond-the-spec 1.14). */
const OPENING = ['mention', 'quote'] as const
export const REQUEST_TYPES: RawBuilder<string[]> = sql`array[${sql.join(OPENING.map((type) => sql.lit(type)))}]`

const heldBack = (request: string, type: string) => {
  const [id, recipientId, actorId] = ['id', 'recipient_id', 'actor_id'].map((column) => sql.ref(`${request}.${column}`))
  return sql`select id, status_id, created_at from notification
    where recipient_id = ${recipientId} and actor_id = ${actorId} and type = ${sql.lit(type)} and id >= ${id} and filtered`
}

/** `from …`: the mentions and quotes of a row of notification_request, named `pending`. */
export const pendingOf = (request: string): RawBuilder<unknown> =>
  sql`from (${sql.join(
    OPENING.map((type) => heldBack(request, type)),
    sql` union all `,
  )}) pending`

/** A query of the latest of them; an index gives that of each type. */
export const latestOf = (request: string): RawBuilder<unknown> => {
  const latest = OPENING.map((type) => sql`(${heldBack(request, type)} order by id desc limit 1)`)
  return sql`select status_id, created_at from (${sql.join(latest, sql` union all `)}) pending order by id desc limit 1`
}

import { firstRows, hasRow, prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import { latestOf, MAX_COUNTED, pendingOf } from './request.predicates.ts'

/** A request, with its latest mention or quote. */
export type RequestRow = {
  id: string
  actorId: string
  statusId: string | null
  createdAt: Date
  updatedAt: Date
  /** At most 100. */
  notificationsCount: number
}

const described = (requests: ReturnType<typeof sql>) => sql<RequestRow>`
  select request.id, request.actor_id, latest.status_id, request.created_at, latest.created_at updated_at,
    (select count(*)::int from (select 1 ${pendingOf('request')} limit ${MAX_COUNTED}) counted) notifications_count
  from (${requests}) request
  cross join lateral (${latestOf('request')}) latest`

/** Reads a page of someone's requests. */
export const readRequestPage = preparedPage('requests.page', ({ recipientId }: { recipientId: string }, { order, below, above, limit }) =>
  described(
    firstRows(
      sql`select id, recipient_id, actor_id, created_at from notification_request
          where recipient_id = ${recipientId} and id < ${below} and id > ${above} order by id ${sql.raw(order)}`,
      limit,
    ),
  ),
)

/** Reads one request, if it is this person's. */
export const readRequest = prepared('requests.one', ({ recipientId, id }: { recipientId: string; id: string }) =>
  described(
    sql`select id, recipient_id, actor_id, created_at from notification_request where id = ${id} and recipient_id = ${recipientId} offset 0`,
  ),
)

/** Deletes those of these requests that are this person's, and returns the senders of their notifications. */
export const removeRequests = async (tx: Tx<NotificationsTables>, recipientId: string, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ actorId: string }>`
    delete from notification_request where id = any(${ids}::bigint[]) and recipient_id = ${recipientId} returning actor_id`.execute(tx)
  return rows.map(({ actorId }) => actorId)
}

type Pair = { readonly recipientId: string; readonly actorId: string }

const inOrderOfIds = (a: string, b: string) => a.length - b.length || (a < b ? -1 : Number(a > b))

const lockOfPairs = ({ recipients, actors }: { recipients: readonly string[]; actors: readonly string[] }) => sql<{ id: string }>`
  select request.id from unnest(${recipients}::bigint[], ${actors}::bigint[]) as pair (recipient_id, actor_id)
  cross join lateral (
    select id from notification_request where recipient_id = pair.recipient_id and actor_id = pair.actor_id for update) request`
const lockOfRecipient = ({ recipientId }: { recipientId: string }) => sql<{ id: string }>`
  select id from notification_request where recipient_id = ${recipientId} order by actor_id for update`

/**
 * Deletes the locked requests that are empty. A separate statement: it sees what earlier holders of the locks added, and later transactions
 * wait and open a new request.
 */
const removeEmpty = async (tx: Tx<NotificationsTables>, ids: readonly string[]) => {
  if (ids.length === 0) return
  await sql`delete from notification_request request where id = any(${ids}::bigint[]) and not ${hasRow(pendingOf('request'))}`.execute(tx)
}

/** Deletes those requests of these pairs that became empty. */
export const removeEmptyRequests = async (tx: Tx<NotificationsTables>, pairs: readonly Pair[]): Promise<void> => {
  if (pairs.length === 0) return
  // In the order in which the intake locks them, to avoid deadlocks.
  const ordered = pairs.toSorted((a, b) => inOrderOfIds(a.recipientId, b.recipientId) || inOrderOfIds(a.actorId, b.actorId))
  const given = { recipients: ordered.map(({ recipientId }) => recipientId), actors: ordered.map(({ actorId }) => actorId) }
  const { rows } = await lockOfPairs(given).execute(tx)
  await removeEmpty(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Deletes those requests of a person that became empty. */
export const removeEmptyRequestsOf = async (tx: Tx<NotificationsTables>, recipientId: string): Promise<void> => {
  const { rows } = await lockOfRecipient({ recipientId }).execute(tx)
  await removeEmpty(
    tx,
    rows.map(({ id }) => id),
  )
}

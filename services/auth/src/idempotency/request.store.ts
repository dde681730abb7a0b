import { type Db, deleteInPieces, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** An attempt of a request that wants to run. Keys count `since` a moment. */
export type Attempt = { request: Buffer; content: Buffer; id: string; attempt: string; now: Date; until: Date; since: Date }

/**
 * Reserves a request for an attempt and gives its reservation: one that is new or older than an hour, or one with the same content whose attempt
 * ended without an answer, lost its reservation, or is this one. Gives no row for any other.
 */
export const reserve = prepared(
  'idempotency.reserve',
  (given: Attempt) => sql<{ id: string }>`
    insert into idempotent_request as known (request, content, id, attempt, created_at, reserved_until)
    values (${given.request}, ${given.content}, ${given.id}, ${given.attempt}, ${given.now}, ${given.until})
    on conflict (request) do update set
      id = case when known.created_at < ${given.since} then excluded.id else known.id end,
      created_at = case when known.created_at < ${given.since} then excluded.created_at else known.created_at end,
      content = excluded.content, attempt = excluded.attempt, reserved_until = excluded.reserved_until, answer = null
    where (known.created_at < ${given.since} and known.reserved_until <= excluded.created_at)
      or (known.answer is null and known.content = excluded.content
        and (known.reserved_until <= excluded.created_at or known.attempt = excluded.attempt))
    returning id`,
)

export type KnownRequest = { content: Buffer; answer: Buffer | null }

/** Reads the record of a request. */
export const findRequest = prepared(
  'idempotency.find',
  ({ request }: { request: Buffer }) => sql<KnownRequest>`
    select content, answer from idempotent_request where request = ${request}`,
)

/** Keeps a request reserved for its attempt. */
export const renew = async (
  db: Db<AuthTables>,
  { request, attempt, until }: { request: Buffer; attempt: string; until: Date },
): Promise<void> => {
  const query = db.updateTable('idempotentRequest').set({ reservedUntil: until }).where('request', '=', request)
  await query.where('attempt', '=', attempt).where('answer', 'is', null).execute()
}

/** Ends an attempt with its answer, if any; gives no row when it is no longer the one that runs. */
export const complete = prepared(
  'idempotency.complete',
  (given: { request: Buffer; attempt: string; answer: Buffer | null; now: Date }) => sql<{ id: string }>`
    update idempotent_request set answer = ${given.answer}, reserved_until = ${given.now}
    where request = ${given.request} and attempt = ${given.attempt} and answer is null returning id`,
)

/** Forgets requests made before a moment, some at a time. */
export const forgetRequests = (db: Db<AuthTables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'idempotent_request', sql`created_at < ${before}`)

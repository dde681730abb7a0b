import { type Db, deleteInPieces, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** An attempt at a request. Idempotency keys older than `since` have expired. */
export type Attempt = { request: Buffer; content: Buffer; id: string; attempt: string; now: Date; until: Date; since: Date }

/**
 * Leases a request to an attempt and returns its reservation. Succeeds for a new key; for an expired key whose lease has ended; and for the
 * same content without a response, if the lease has ended or is held by this attempt. Returns no row otherwise.
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

export const findRequest = prepared(
  'idempotency.find',
  ({ request }: { request: Buffer }) => sql<KnownRequest>`
    select content, answer from idempotent_request where request = ${request}`,
)

/** Renews the lease of an attempt. */
export const renew = async (
  db: Db<AuthTables>,
  { request, attempt, until }: { request: Buffer; attempt: string; until: Date },
): Promise<void> => {
  const query = db.updateTable('idempotentRequest').set({ reservedUntil: until }).where('request', '=', request)
  await query.where('attempt', '=', attempt).where('answer', 'is', null).execute()
}

/** Ends an attempt with its response, if any; returns no row if it no longer holds the lease. */
export const complete = prepared(
  'idempotency.complete',
  (given: { request: Buffer; attempt: string; answer: Buffer | null; now: Date }) => sql<{ id: string }>`
    update idempotent_request set answer = ${given.answer}, reserved_until = ${given.now}
    where request = ${given.request} and attempt = ${given.attempt} and answer is null returning id`,
)

/** Deletes requests created before a time, in batches. */
export const forgetRequests = (db: Db<AuthTables>, before: Date): Promise<void> =>
  deleteInPieces(db, 'idempotent_request', sql`created_at < ${before}`)

import { createCompletedSteps } from '@rookery/database'
import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Requests with an Idempotency-Key, their answers, and which of their steps auth completed. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table idempotent_request (
      request bytea primary key,
      content bytea not null,
      id text not null,
      attempt text not null,
      created_at timestamptz not null,
      reserved_until timestamptz not null,
      answer bytea
    )`.execute(db)
  // Answers: which requests may be forgotten?
  await sql`create index idempotent_request_age on idempotent_request (created_at)`.execute(db)
  await createCompletedSteps(db)
}

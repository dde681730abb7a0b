import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Statuses of other servers whose replies were fetched, and when: once in a while is enough. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table fetched_thread (uri text primary key, fetched_at timestamptz not null)`.execute(db)
  // Answers: which are old enough to be forgotten?
  await sql`create index fetched_thread_fetched on fetched_thread (fetched_at)`.execute(db)
}

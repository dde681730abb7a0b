import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Versions of the terms of service, each by the day from which it holds. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table terms_of_service (effective_on date primary key, text text not null, published_at timestamptz not null)`.execute(
    db,
  )
}

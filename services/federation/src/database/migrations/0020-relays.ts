import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Relays, twenty at most. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table relay (
      id bigint generated always as identity primary key,
      inbox text not null constraint relay_inbox unique,
      follow_uri text not null constraint relay_follow_uri unique,
      state text not null check (state in ('pending', 'accepted', 'rejected')),
      actor_uri text,
      created_at timestamptz not null
    )`.execute(db)
}

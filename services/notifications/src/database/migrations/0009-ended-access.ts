import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Tokens and logins that ended a short while ago: a subscription that is under way meanwhile must not outlive them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // kind: token, or login with the id of its account.
  await sql`
    create table ended_access (
      kind text not null,
      id bigint not null,
      ended_at timestamptz not null,
      primary key (kind, id)
    )`.execute(db)
  // Answers: which are so old that no request of theirs can still be under way?
  await sql`create index ended_access_age on ended_access (ended_at)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * What activities did, by the ids they have between servers: follows, likes and blocks, which are taken back or answered by id, and deletions
 * that may come before what they delete. account_id did it; subject_id is the account or status it was done to, 0 of a deletion.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table act (
      uri text primary key,
      kind text not null check (kind in ('follow', 'like', 'block', 'delete')),
      account_id bigint not null,
      subject_id bigint not null,
      created_at timestamptz not null
    )`.execute(db)
  // Answers: under which id did this account follow, like or block that?
  await sql`create unique index act_of_account on act (account_id, subject_id, kind) where kind <> 'delete'`.execute(db)
  // Answers: which deletions are old enough to be forgotten?
  await sql`create index act_deletions on act (created_at) where kind = 'delete'`.execute(db)
}

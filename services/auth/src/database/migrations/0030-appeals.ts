import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What people say against acts of staff on their accounts, at most once each, and how it was decided. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table appeal (
      act_id bigint primary key,
      account_id bigint not null references login on delete cascade,
      text text not null,
      state text not null,
      created_at timestamptz not null,
      decided_at timestamptz
    )`.execute(db)
  // Answers: which appeals has this person made? Asked when their login is deleted.
  await sql`create index appeal_account on appeal (account_id)`.execute(db)
  // Answers: which appeals are still to be decided?
  await sql`create index appeal_pending on appeal (act_id) where state = 'pending'`.execute(db)
}

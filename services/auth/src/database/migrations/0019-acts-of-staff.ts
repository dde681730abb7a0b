import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * What staff and operators did, and which of it statuses does not know yet. Accounts are named as they were: an act is on record also when
 * they are gone. actor_id is null for an operator. Read by id, latest first.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table staff_act (
      id bigint generated always as identity primary key,
      actor_id bigint,
      action text not null,
      account_id bigint not null,
      text text not null,
      report_id bigint,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table unfinished_act (
      act_id bigint primary key,
      account_id bigint not null,
      request bytea not null
    )`.execute(db)
  // Answers: what of an account is unfinished, in order?
  await sql`create index unfinished_act_account on unfinished_act (account_id, act_id)`.execute(db)
}

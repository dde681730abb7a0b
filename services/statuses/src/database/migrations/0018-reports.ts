import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What people tell moderators of others. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Statuses and rules are named as they were: a report says what it is about also when they are gone.
  await run(`
    create table report (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      category text not null,
      comment text not null,
      status_ids bigint[] not null,
      rule_ids text[] not null,
      created_at timestamptz not null,
      action_taken_at timestamptz
    )`)
  // Answers: about which reports was nothing done yet?
  await run('create index report_open on report (id desc) where action_taken_at is null')
  // Answers: what goes with this account?
  await run('create index report_account on report (account_id)')
  await run('create index report_target on report (target_id)')
  // Answers: who may read reports?
  await run(`create index account_role on account (role) where role <> ''`)
}

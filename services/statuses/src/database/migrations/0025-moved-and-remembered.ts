import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** People who are elsewhere now, and people who have died. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run(`
    alter table account
      add column is_memorial boolean not null default false,
      add column moved_to_id bigint references account on delete set null`)
  // Answers: who moved to the account that is being removed?
  await run('create index account_moved on account (moved_to_id) where moved_to_id is not null')

  // account_id says that alias_id is, or was, the same person.
  await run(`
    create table account_alias (
      account_id bigint not null references account on delete cascade,
      alias_id bigint not null references account on delete cascade,
      primary key (account_id, alias_id)
    )`)
  // Answers: who named the account that is being removed?
  await run('create index account_alias_named on account_alias (alias_id)')
}

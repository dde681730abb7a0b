import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Questions asked with statuses, and the votes on them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Counts stand beside the options: votes[i] is of options[i]. closed_at says that people were told of the end.
  await run(`
    create table poll (
      status_id bigint primary key references status_head (id) on delete cascade,
      expires_at timestamptz not null,
      is_multiple boolean not null,
      hides_totals boolean not null,
      options text[] not null,
      votes integer[] not null,
      voters integer not null default 0,
      closed_at timestamptz
    )`)

  // A person votes once, with all their choices.
  await run(`
    create table poll_vote (
      status_id bigint not null references poll (status_id) on delete cascade,
      account_id bigint not null references account (id) on delete cascade,
      choices integer[] not null,
      created_at timestamptz not null,
      primary key (account_id, status_id)
    )`)
  // Answers: who voted in this poll?
  await run('create index poll_vote_status on poll_vote (status_id)')
}

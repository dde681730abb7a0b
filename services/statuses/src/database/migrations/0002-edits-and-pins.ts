import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What statuses were before they were edited, and those that stay at the top of a profile. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // A status that was never edited has no rows; the first edit keeps the original beside the new text.
  await run(`
    create table status_revision (
      id bigint generated always as identity primary key,
      status_id bigint not null references status_head (id) on delete cascade,
      content text not null,
      spoiler_text text not null,
      sensitive boolean not null,
      attachments jsonb not null,
      created_at timestamptz not null,
      poll_options text[] not null default '{}'
    )`)
  // Answers: what was this status, oldest first?
  await run('create index status_revision_status on status_revision (status_id, id)')

  await run(`
    create table pin (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      status_id bigint not null references status_head (id) on delete cascade
    )`)
  // Answers: what did this person pin, latest first? And: is this pinned?
  await run('create unique index pin_once on pin (account_id, status_id)')
  await run('create index pin_account on pin (account_id, id desc)')
  // Answers: which pins go when this status goes?
  await run('create index pin_status on pin (status_id)')
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Statuses that wait for their time, and drafts, which have none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // As it was asked for; the author's defaults fill in what is missing when it is published. version rises with every change.
  await run(`
    create table scheduled_status (
      id bigint primary key,
      version integer not null default 1,
      account_id bigint not null references account (id) on delete cascade,
      scheduled_at timestamptz,
      text text not null,
      spoiler_text text not null,
      sensitive boolean,
      visibility smallint not null,
      language text not null,
      in_reply_to_id bigint,
      poll jsonb,
      attachments jsonb not null,
      application_id bigint,
      application_name text,
      application_website text,
      created_at timestamptz not null
    )`)
  // Answers: what has this person scheduled, or drafted, newest first?
  await run('create index scheduled_status_account on scheduled_status (account_id, id desc) where scheduled_at is not null')
  await run('create index scheduled_status_drafts on scheduled_status (account_id, id desc) where scheduled_at is null')
  // Answers: what should have been published by now?
  await run('create index scheduled_status_due on scheduled_status (scheduled_at, id) where scheduled_at is not null')

  // The key made a scheduled status: status_id is that one's, until it is published.
  await run('alter table idempotency_key add column is_scheduled boolean not null default false')
}

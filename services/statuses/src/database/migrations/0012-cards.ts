import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Previews of the pages that statuses link to. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // One page for all statuses that link to it. digest is of the url, which may be longer than an index takes.
  await run(`
    create table preview_card (
      digest text primary key,
      url text not null,
      round integer not null default 0,
      failures smallint not null default 0,
      asked_at timestamptz not null,
      due_at timestamptz not null,
      card jsonb,
      picture_subject_id bigint
    )`)
  // Answers: which pages should have been asked for by now?
  await run('create index preview_card_due on preview_card (due_at) where round = 0 or failures > 0')
  // Answers: which pages were last asked for so long ago that they may be forgotten?
  await run('create index preview_card_asked on preview_card (asked_at)')

  // url is the link as it was typed, with its fragment.
  await run(`
    create table status_card (
      status_id bigint primary key references status_head (id) on delete cascade,
      digest text not null references preview_card (digest),
      url text not null
    )`)
  // Answers: which statuses show this page?
  await run('create index status_card_digest on status_card (digest)')
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What people do not want to read. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run(`
    create table filter (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      title text not null,
      contexts text[] not null,
      action text not null,
      expires_at timestamptz
    )`)
  // Answers: which filters has this person, oldest first?
  await run('create index filter_account on filter (account_id, id)')

  await run(`
    create table filter_keyword (
      id bigint generated always as identity primary key,
      filter_id bigint not null references filter (id) on delete cascade,
      keyword text not null,
      whole_word boolean not null
    )`)
  // Answers: which keywords has this filter, oldest first?
  await run('create index filter_keyword_filter on filter_keyword (filter_id, id)')

  await run(`
    create table filter_status (
      id bigint generated always as identity primary key,
      filter_id bigint not null references filter (id) on delete cascade,
      status_id bigint not null references status_head (id) on delete cascade
    )`)
  // Answers: is this status in this filter already? And: which statuses are in it?
  await run('create unique index filter_status_once on filter_status (filter_id, status_id)')
  // Answers: which filters lose this status when it goes?
  await run('create index filter_status_status on filter_status (status_id)')
}

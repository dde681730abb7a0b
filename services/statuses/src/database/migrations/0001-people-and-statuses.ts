import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Accounts, the graph between them, statuses, what people do to statuses, and feeds. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Counters and versions change with every post and follow: room on the page keeps those updates in place.
  await run(`
    create table account (
      id bigint primary key,
      version integer not null default 1,
      context_version integer not null default 1,
      username text not null,
      is_active boolean not null,
      display_name text not null default '',
      note text not null default '',
      note_html text not null default '',
      fields jsonb not null default '[]',
      avatar_url text not null default '',
      avatar_static_url text not null default '',
      header_url text not null default '',
      header_static_url text not null default '',
      locked boolean not null default false,
      bot boolean not null default false,
      discoverable boolean,
      indexable boolean not null default false,
      hide_collections boolean,
      default_privacy smallint,
      default_sensitive boolean not null default false,
      default_language text,
      created_at timestamptz not null,
      last_status_on date,
      statuses_count integer not null default 0,
      followers_count integer not null default 0,
      following_count integer not null default 0,
      follow_requests_count integer not null default 0
    ) with (fillfactor = 70)`)
  // Answers: whose handle is this? Which handles are taken?
  await run('create unique index account_username on account (lower(username))')

  // What pages need of a status, narrow and apart from its text. visibility: 1 public, 2 unlisted, 3 private, 4 direct.
  await run(`
    create table status_head (
      id bigint primary key,
      version integer not null default 1,
      author_id bigint not null,
      visibility smallint not null,
      reblog_of_id bigint,
      is_listed boolean not null,
      is_reply_to_other boolean not null,
      has_media boolean not null,
      replies integer not null default 0,
      reblogs integer not null default 0,
      favourites integer not null default 0
    ) with (fillfactor = 75)`)
  // Answers: what did this person post, newest first?
  await run('create index status_head_author on status_head (author_id, id desc)')
  // Answers: what is on the public timeline, newest first? And with media only?
  await run('create index status_head_listed on status_head (id desc) where is_listed')
  await run('create index status_head_listed_media on status_head (id desc) where is_listed and has_media')
  // Answers: who boosted this, and has this person boosted it already?
  await run('create unique index status_head_reblog on status_head (reblog_of_id, author_id) where reblog_of_id is not null')

  await run(`
    create table status (
      id bigint primary key references status_head (id) on delete cascade,
      author_id bigint not null,
      text text not null,
      spoiler_text text not null,
      sensitive boolean not null,
      language text,
      content text not null,
      in_reply_to_id bigint,
      in_reply_to_account_id bigint,
      created_at timestamptz not null,
      edited_at timestamptz,
      application_name text,
      application_website text,
      mentions jsonb not null default '[]',
      tags text[] not null default '{}',
      attachments jsonb not null default '[]'
    )`)
  // Answers: what replies to this status?
  await run('create index status_in_reply_to on status (in_reply_to_id, id) where in_reply_to_id is not null')

  await run(`
    create table mention (
      status_id bigint not null references status_head (id) on delete cascade,
      account_id bigint not null,
      primary key (status_id, account_id)
    )`)
  // Answers: which statuses mention this person?
  await run('create index mention_account on mention (account_id, status_id desc)')

  await run(`
    create table tag (
      name text primary key,
      display text not null,
      created_at timestamptz not null
    )`)
  // Answers: which public statuses carry this tag, newest first?
  await run(`
    create table status_tag (
      name text not null,
      status_id bigint not null references status_head (id) on delete cascade,
      primary key (name, status_id)
    )`)
  // Answers: which tags go when this status goes?
  await run('create index status_tag_status on status_tag (status_id)')

  for (const table of ['favourite', 'bookmark']) {
    await run(`
      create table ${table} (
        id bigint generated always as identity primary key,
        account_id bigint not null references account (id) on delete cascade,
        status_id bigint not null references status_head (id) on delete cascade
      )`)
    // Answers: has this person done it already?
    await run(`create unique index ${table}_once on ${table} (account_id, status_id)`)
    // Answers: what did this person favourite or bookmark, newest first?
    await run(`create index ${table}_account on ${table} (account_id, id desc)`)
    // Answers: who did it to this status, newest first?
    await run(`create index ${table}_status on ${table} (status_id, id desc)`)
  }

  await run(`
    create table follow (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      reblogs boolean not null,
      notify boolean not null,
      languages text[],
      created_at timestamptz not null
    )`)
  // Answers: does this person follow that one? And: whom, newest first?
  await run('create unique index follow_once on follow (account_id, target_id)')
  await run('create index follow_account on follow (account_id, id desc)')
  // Answers: who follows this person — in order of followers for fan-out, newest first for the list?
  await run('create index follow_target on follow (target_id, account_id)')
  await run('create index follow_target_recent on follow (target_id, id desc)')

  await run(`
    create table follow_request (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      reblogs boolean not null,
      notify boolean not null,
      languages text[],
      created_at timestamptz not null
    )`)
  await run('create unique index follow_request_once on follow_request (account_id, target_id)')
  // Answers: who asks to follow this person, newest first?
  await run('create index follow_request_target on follow_request (target_id, id desc)')

  await run(`
    create table block (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      created_at timestamptz not null
    )`)
  await run('create unique index block_once on block (account_id, target_id)')
  // Answers: who blocks this person?
  await run('create index block_target on block (target_id, account_id)')

  await run(`
    create table mute (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      notifications boolean not null,
      expires_at timestamptz,
      created_at timestamptz not null
    )`)
  await run('create unique index mute_once on mute (account_id, target_id)')
  // Answers: who mutes this person?
  await run('create index mute_target on mute (target_id, account_id)')
  // Answers: which mutes have run out?
  await run('create index mute_expiry on mute (expires_at) where expires_at is not null')

  // Answers: what is in this person's home, newest first? The only index: every post writes here once a follower.
  await run(`
    create table feed (
      account_id bigint not null,
      status_id bigint not null,
      reblog_of_id bigint,
      primary key (account_id, status_id)
    )`)

  // Answers: which status did this key make? The row reserves the status's id before anything else is done.
  await run(`
    create table idempotency_key (
      account_id bigint not null,
      key text not null,
      status_id bigint not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    )`)
  // Answers: which keys are over an hour old? And: which key made this status?
  await run('create index idempotency_key_age on idempotency_key (created_at)')
  await run('create index idempotency_key_status on idempotency_key (status_id)')
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What people note of each other and show of each other, servers they shut out, and who is worth following. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // What somebody noted of somebody, for themselves. The key answers: what did this person note of these?
  await run(`
    create table account_note (
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      comment text not null,
      primary key (account_id, target_id)
    )`)
  // Answers: which notes go when this account goes?
  await run('create index account_note_target on account_note (target_id)')

  await run(`
    create table endorsement (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      created_at timestamptz not null
    )`)
  // Answers: does this person show that one already?
  await run('create unique index endorsement_once on endorsement (account_id, target_id)')
  // Answers: whom does this person show, latest first?
  await run('create index endorsement_account on endorsement (account_id, id desc)')
  // Answers: which endorsements go when this account goes?
  await run('create index endorsement_target on endorsement (target_id)')

  // domain is in ASCII and lower case.
  await run(`
    create table domain_block (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      domain text not null,
      created_at timestamptz not null
    )`)
  // Answers: has this person shut this server out already?
  await run('create unique index domain_block_once on domain_block (account_id, domain)')
  // Answers: which servers has this person shut out, latest first?
  await run('create index domain_block_account on domain_block (account_id, id desc)')

  await run(`
    create table staff_pick (
      id bigint generated always as identity primary key,
      account_id bigint not null unique references account (id) on delete cascade,
      created_at timestamptz not null
    )`)

  // The key answers: does this person want to hear no more of that one as a suggestion?
  await run(`
    create table suggestion_dismissal (
      account_id bigint not null references account (id) on delete cascade,
      target_id bigint not null references account (id) on delete cascade,
      primary key (account_id, target_id)
    )`)
  // Answers: which dismissals go when this account goes?
  await run('create index suggestion_dismissal_target on suggestion_dismissal (target_id)')

  // Answers: whom does this person block or mute, latest first?
  await run('create index block_account on block (account_id, id desc)')
  await run('create index mute_account on mute (account_id, id desc)')

  // Answers: who of those that want to be found came last? And: who posted on the latest days? A day changes once a day, so that most
  // posts still update their author in place.
  await run('create index account_directory_new on account (id desc) where discoverable and is_active')
  await run('create index account_directory_active on account (last_status_on desc nulls last, id desc) where discoverable and is_active')
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Lists of people, and tags people follow. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // replies_policy: followed, list or none.
  await run(`
    create table list (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      title text not null,
      replies_policy text not null,
      is_exclusive boolean not null,
      created_at timestamptz not null
    )`)
  // Answers: which lists does this person keep?
  await run('create index list_account on list (account_id, id)')

  // account_id is the member.
  await run(`
    create table list_member (
      id bigint generated always as identity primary key,
      list_id bigint not null references list (id) on delete cascade,
      account_id bigint not null references account (id) on delete cascade
    )`)
  // Answers: is this person on the list already?
  await run('create unique index list_member_once on list_member (list_id, account_id)')
  // Answers: who is on the list, latest first?
  await run('create index list_member_list on list_member (list_id, id desc)')
  // Answers: which lists is this person on?
  await run('create index list_member_account on list_member (account_id, list_id)')

  // name is that of the tag, normalised.
  await run(`
    create table tag_follow (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      name text not null references tag (name),
      created_at timestamptz not null
    )`)
  // Answers: does this person follow this tag already?
  await run('create unique index tag_follow_once on tag_follow (account_id, name)')
  // Answers: which tags does this person follow, latest first?
  await run('create index tag_follow_account on tag_follow (account_id, id desc)')
  // Answers: who follows this tag, in order for fan-out?
  await run('create index tag_follow_name on tag_follow (name, account_id)')
}

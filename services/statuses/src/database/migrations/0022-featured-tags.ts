import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Tags people show on their profiles, with what they said under them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // is_open: the status is public or unlisted, which never changes.
  await run('alter table status_tag add column author_id bigint, add column is_open boolean')
  await run('update status_tag t set author_id = h.author_id, is_open = h.visibility <= 2 from status_head h where h.id = t.status_id')
  await run('alter table status_tag alter column author_id set not null, alter column is_open set not null')
  // Answers: how much did this person say under this tag where others may see, and when last? It holds all that is asked.
  await run('create index status_tag_author on status_tag (author_id, name, status_id) where is_open')

  // name is that of the tag, normalised; display is what its owner typed.
  await run(`
    create table featured_tag (
      id bigint generated always as identity primary key,
      account_id bigint not null references account (id) on delete cascade,
      name text not null references tag (name),
      display text not null,
      created_at timestamptz not null
    )`)
  // Answers: which tags does this person show, and is this one of them?
  await run('create unique index featured_tag_once on featured_tag (account_id, name)')
}

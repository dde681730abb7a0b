import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Accounts that are being removed, usernames that nobody gets again, and the role a profile shows. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run('alter table account add column closed_at timestamptz')
  // Answers: which accounts are still to be removed?
  await run('create index account_closed on account (closed_at) where closed_at is not null')

  // moderator, admin or owner; empty for everybody else.
  await run(`alter table account add column role text not null default ''`)

  // Answers by its key: had somebody this username who is gone? It is in lower case.
  await run('create table reserved_username (username text primary key)')
}

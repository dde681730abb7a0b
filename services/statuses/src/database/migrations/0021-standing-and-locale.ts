import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Whether people are silenced or suspended, and in which language they read. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // locale: of the pages they signed up with. Accounts opened before have it as the language they post in.
  await run(`
    alter table account
      add column locale text,
      add column is_silenced boolean not null default false,
      add column is_suspended boolean not null default false`)
  // Answers: whom do public pages leave out?
  await run('create index account_not_listed on account (id) where is_silenced or is_suspended')
}

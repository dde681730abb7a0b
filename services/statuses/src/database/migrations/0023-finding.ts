import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** How followers and accounts are found among millions. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // The pair is what a follow is. Its number stays for paging, by indexes that begin with a person: one over the number alone tempts the
  // planner to read everybody's follows for the followers of whom many follow.
  await run('alter table follow drop constraint follow_pkey, add constraint follow_once primary key using index follow_once')

  // Answers: whose handle begins like this?
  await run('create index account_handle on account (lower(username) text_pattern_ops) where is_active')
}

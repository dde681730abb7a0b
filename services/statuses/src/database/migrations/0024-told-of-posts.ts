import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Followers who want to be told of each post. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Answers: who of this person's followers wants to be told of what they post? Few do, of however many.
  await run('create index follow_notify on follow (target_id, account_id) where notify')
}

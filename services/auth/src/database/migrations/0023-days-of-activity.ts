import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Who was seen on which day, counted since 1970; rows of people who are gone stay until their day is forgotten. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers, by its key: how many people were seen on each day, and how many in all?
  await sql`create table seen_day (day integer, account_id bigint, primary key (day, account_id))`.execute(db)
}

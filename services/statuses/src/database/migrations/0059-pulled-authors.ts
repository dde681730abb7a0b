import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Authors whose statuses above an id are not written to homes, but found when a home is read. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table pulled_author (
    account_id bigint primary key references account on delete cascade,
    since_id bigint not null
  )`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The address that people of this server have their handles and ids at: one row, written when processes start. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table server_address (id smallint primary key default 1 check (id = 1), base_url text not null)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What dashboards of staff count, and what staff decided about a tag. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Favourites have no time: the job of trends, which reads each, counts those of people of this server. Days are counted since 1970.
  await sql`create table favourite_day (day integer primary key, favourites bigint not null)`.execute(db)
  await sql`alter table tag add column is_usable boolean not null default true, add column is_listable boolean not null default true`.execute(
    db,
  )
}

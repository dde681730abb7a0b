import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Statuses of other servers that were found to be unreferenced, and how far the search for them is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table unreferenced_status (
      status_id bigint primary key references status_head on delete cascade,
      found_at timestamptz not null
    )`.execute(db)
  // Answers: which were found longest ago?
  await sql`create index unreferenced_status_found on unreferenced_status (found_at, status_id)`.execute(db)
  await sql`create table unreferenced_search (is_only boolean primary key default true check (is_only), after_id bigint not null)`.execute(
    db,
  )
  await sql`insert into unreferenced_search (after_id) values (0)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** How far people have read. timeline: home or notifications. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: how far did this person read this timeline?
  await sql`
    create table marker (
      account_id bigint not null,
      timeline text not null,
      last_read_id bigint not null,
      version integer not null,
      updated_at timestamptz not null,
      primary key (account_id, timeline)
    )`.execute(db)
}

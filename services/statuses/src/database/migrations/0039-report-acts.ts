import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Who deals with a report and who dealt with it; accounts whose media are all marked as sensitive. Ids outlive the accounts they are of. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table report add column assigned_to_id bigint, add column action_taken_by_id bigint, add column updated_at timestamptz`.execute(
    db,
  )
  await sql`alter table account add column is_sensitized boolean not null default false`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * Whose files are withheld because staff suspended them. By owner and not by file: one row holds for as many files as they have, and for those
 * that come later. What was withheld stays for a while as a row that says so, against older events that come late.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table withheld_owner (
      owner_id bigint primary key,
      act_id bigint not null,
      is_withheld boolean not null,
      expires_at timestamptz
    )`.execute(db)
  // Answers: is anyone withheld at all?
  await sql`create index withheld_owner_withheld on withheld_owner (owner_id) where is_withheld`.execute(db)
  // Answers: which rows have said all they had to?
  await sql`create index withheld_owner_expires on withheld_owner (expires_at) where expires_at is not null`.execute(db)
}

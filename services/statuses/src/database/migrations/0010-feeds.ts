import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What is known of each person's home beside its entries. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Entries below floor_id are not stored. A home that rests is not written to until its owner comes back.
  await run(`
    create table home (
      account_id bigint primary key references account (id) on delete cascade,
      floor_id bigint not null default 0,
      is_resting boolean not null default false,
      read_on date not null,
      compared_at timestamptz
    )`)
  // Answers: whose home has nobody read for long?
  await run('create index home_read on home (read_on) where not is_resting')
  // Answers: whose home was compared with what it should hold longest ago?
  await run('create index home_compared on home (compared_at nulls first, account_id) where not is_resting')

  // Homes that were kept before are whole.
  await run('insert into home (account_id, read_on) select distinct account_id, current_date from follow')
}

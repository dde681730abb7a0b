import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Which versions of the terms of service there are. Those of before are known from the log of what staff did. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table terms_version (effective_on date primary key)`.execute(db)
  await sql`
    insert into terms_version (effective_on)
    select target::date from (
      select distinct on (target) target, action from staff_act where action in ('publish_terms', 'delete_terms')
        and target ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' order by target, id desc) last
    where action = 'publish_terms'`.execute(db)
}

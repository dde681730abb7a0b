import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** One week: its start in UNIX seconds, how many people signed in and how many registered. */
export type Week = { weekSeconds: number; logins: number; registrations: number }

export class ActivityReader {
  readonly #db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.#db = db
  }

  /** The weeks since then in which somebody signed in or registered, oldest first. */
  async since(start: Date): Promise<Week[]> {
    const { rows } = await sql<{ week: string; logins: string; registrations: string }>`
      with entry as (
        select week::timestamp as week, count(*) as logins, 0 as registrations
          from sign_in_week where week >= (${start}::timestamptz at time zone 'UTC')::date group by week
        union all
        select date_trunc('week', created_at at time zone 'UTC'), 0, count(*)
          from login where created_at >= ${start} group by 1
      )
      select extract(epoch from week)::bigint as week, sum(logins) as logins, sum(registrations) as registrations
        from entry group by week order by week`.execute(this.#db)
    return rows.map((row) => ({
      weekSeconds: Number(row.week),
      logins: Number(row.logins),
      registrations: Number(row.registrations),
    }))
  }
}

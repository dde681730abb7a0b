import type { Db } from '@rookery/database'
import { dayOf } from '@rookery/runtime'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30
const HALF_YEAR_DAYS = 180

/** The activity of a week: its start in UNIX seconds, the active accounts and the registrations. */
export type Week = { weekSeconds: number; logins: number; registrations: number }

/** The numbers of recently active accounts. */
export type ActivePeople = { activeMonth: number; activeHalfYear: number }

export class ActivityReader {
  readonly #db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.#db = db
  }

  /** The numbers of accounts active in the 30 and the 180 days before a time, in milliseconds since 1970. */
  async active(now: number): Promise<ActivePeople> {
    const [month, halfYear] = [dayOf(now - MONTH_DAYS * DAY), dayOf(now - HALF_YEAR_DAYS * DAY)]
    const { rows } = await sql<{ month: string; halfYear: string }>`
      select count(*) filter (where last_seen_on > ${month}::date) as month, count(*) as "halfYear"
        from login where last_seen_on > ${halfYear}::date`.execute(this.#db)
    return { activeMonth: Number(rows[0]?.month), activeHalfYear: Number(rows[0]?.halfYear) }
  }

  /** Weeks with activity or registrations since a time, oldest first. */
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

import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isNotSuspended, isThere } from '../../audience/index.ts'

/** The numbers of local accounts and statuses, and of accounts that posted recently. */
export type Counts = { people: number; statuses: number; activeMonth: number; activeHalfYear: number }

/** The numbers of local accounts that are not suspended, of their statuses, and of those that posted since two dates. */
export const readCounts = prepared(
  'figures.counts',
  ({ monthAgo, halfYearAgo }: { monthAgo: string; halfYearAgo: string }) => sql<Counts>`
    select count(*)::int people, coalesce(sum(statuses_count), 0)::int statuses,
      count(*) filter (where last_status_on >= ${monthAgo}::date)::int active_month,
      count(*) filter (where last_status_on >= ${halfYearAgo}::date)::int active_half_year
    from account where domain is null and ${isThere()} and ${isNotSuspended()}`,
)

/** Local statuses by week, from an id on, in weeks that start at `start` (Unix seconds) plus a multiple of 7 days. */
export const readWeeks = prepared(
  'figures.weeks',
  ({ sinceId, start }: { sinceId: string; start: number }) => sql<{ weekSeconds: number; statuses: number }>`
    select (${start}::bigint + floor(((id >> 16) / 1000 - ${start}::bigint) / 604800.0)::bigint * 604800)::float8 week_seconds,
      count(*)::int statuses
    from status_head where id >= ${sinceId} and is_local group by 1`,
)

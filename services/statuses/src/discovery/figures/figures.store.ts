import { prepared } from '@rookery/database'
import { sql } from 'kysely'

type Counts = { people: number; statuses: number; activeMonth: number; activeHalfYear: number }

/** People, statuses, and people who posted since two days. */
export const readCounts = prepared(
  'figures.counts',
  ({ monthAgo, halfYearAgo }: { monthAgo: string; halfYearAgo: string }) => sql<Counts>`
    select count(*)::int people, coalesce(sum(statuses_count), 0)::int statuses,
      count(*) filter (where last_status_on >= ${monthAgo}::date)::int active_month,
      count(*) filter (where last_status_on >= ${halfYearAgo}::date)::int active_half_year
    from account where is_active`,
)

/** Statuses by week, for statuses from an id on, in weeks that start at `start` (UNIX seconds) plus a multiple of 7 days. */
export const readWeeks = prepared(
  'figures.weeks',
  ({ sinceId, start }: { sinceId: string; start: number }) => sql<{ weekSeconds: number; statuses: number }>`
    select (${start}::bigint + floor(((id >> 16) / 1000 - ${start}::bigint) / 604800.0)::bigint * 604800)::float8 week_seconds,
      count(*)::int statuses
    from status_head where id >= ${sinceId} group by 1`,
)

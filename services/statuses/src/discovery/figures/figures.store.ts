import { statement } from '@rookery/database'

/** People, statuses, and people who posted since $1 and since $2 (days). */
export const readCounts = statement<[people: number, statuses: number, activeMonth: number, activeHalfYear: number]>(
  'figures.counts',
  `select count(*)::int, coalesce(sum(statuses_count), 0)::int, count(*) filter (where last_status_on >= $1::date)::int,
     count(*) filter (where last_status_on >= $2::date)::int from account where is_active`,
)

/** Statuses by week: [start of the week in UNIX seconds, how many], for statuses with ids from $1 on, in weeks that start at $2 plus a multiple of 7 days. */
export const readWeeks = statement<[weekSeconds: string, statuses: number]>(
  'figures.weeks',
  `select ($2::bigint + floor(((id >> 16) / 1000 - $2::bigint) / 604800.0)::bigint * 604800), count(*)::int
   from status_head where id >= $1 group by 1`,
)

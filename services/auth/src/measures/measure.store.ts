import { countedByDay, MAX_COUNTED, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

/** A range of days since 1970, and the first day of the previous range, for comparison. */
export type ComparedDays = { previousDay: number; firstDay: number; lastDay: number }

type Days = { firstDay: number; lastDay: number; limit: number }

const EPOCH = sql`'1970-01-01'::date`
const startOf = (day: unknown) => sql`to_timestamp(${day}::float8 * 86400)`
const createdOn = sql`(created_at at time zone 'UTC')::date - ${EPOCH}`
/** Logins created from the first to the last day. */
const createdBetween = (first: unknown, last: unknown) =>
  sql`created_at >= ${startOf(first)} and created_at < ${startOf(sql`(${last}::int + 1)`)}`

/** Active accounts, by day and in total. */
export const countActive = prepared('measures.active', ({ previousDay, firstDay, lastDay }: ComparedDays) =>
  countedByDay({
    source: sql`select day, account_id subject from seen_day where day >= ${previousDay} and day <= ${lastDay} limit ${MAX_COUNTED}`,
    value: sql`count(distinct subject)`,
    firstDay,
  }),
)

/** Sign-ups, by day and in total. */
export const countNew = prepared('measures.new', ({ previousDay, firstDay, lastDay }: ComparedDays) =>
  countedByDay({
    source: sql`select ${createdOn} "day", account_id subject from login where ${createdBetween(previousDay, lastDay)} limit ${MAX_COUNTED}`,
    firstDay,
  }),
)

/** A value of a dimension; `name` only if it differs from the key. */
export type Part = { key: string; name: string; value: number }

/** The languages of accounts last active in a range of days. */
export const countLanguages = prepared(
  'measures.languages',
  ({ firstDay, lastDay, limit }: Days) => sql<Part>`
    select locale key, '' "name", count(*)::float8 "value" from (
      select locale from login where last_seen_on >= ${EPOCH} + ${firstDay}::int and last_seen_on <= ${EPOCH} + ${lastDay}::int
      limit ${MAX_COUNTED}) seen
    group by locale order by 3 desc, 1 limit ${limit}`,
)

/** The names of the apps used for sign-up; empty for the server's own page. */
export const countSources = prepared(
  'measures.sources',
  ({ firstDay, lastDay, limit }: Days) => sql<Part>`
    select coalesce(a.name, '') key, '' "name", sum(s.value) "value" from (
      select sign_up_app_id, count(*)::float8 "value" from (
        select sign_up_app_id from login where ${createdBetween(firstDay, lastDay)} limit ${MAX_COUNTED}) new
      group by sign_up_app_id order by 2 desc, 1 limit ${limit}) s
    left join lateral (select name from app where id = s.sign_up_app_id offset 0) a on true
    group by 1 order by 3 desc, 1`,
)

/** How many sign-ups of a period were last active in a period; both by their first day since 1970. */
export type Retained = { period: number; lastSeen: number | null; value: number }

/** `unit` is day or month, as for date_trunc. */
export const countRetained = prepared(
  'measures.retention',
  ({ unit, firstDay, lastDay }: { unit: string; firstDay: number; lastDay: number }) => sql<Retained>`
    select date_trunc(${unit}::text, created_at at time zone 'UTC')::date - ${EPOCH} period,
      date_trunc(${unit}::text, last_seen_on::timestamp)::date - ${EPOCH} last_seen, count(*)::float8 "value"
    from (select created_at, last_seen_on from login where ${createdBetween(firstDay, lastDay)} limit ${MAX_COUNTED}) new
    group by 1, 2`,
)

/** Deletes activity before a day. */
export const forgetSeenDays = async (tx: Tx<AuthTables>, before: number): Promise<void> => {
  await tx.deleteFrom('seenDay').where('day', '<', before).execute()
}

import { type Database, firstRows, hasRow, MAX_COUNTED, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isDiscoverable, isKeptFrom, isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonStatement, type Viewer } from '../../views/index.ts'
import { byShown, type Shown, type TrendPage } from './trend.store.ts'

/** Maximum favourites and statuses per statement. */
export const READ_AT_ONCE = 1000
/** Maximum trending statuses checked in each run, because favourites may have been removed: as many as pages can show. */
const MAX_TRENDING = sql.lit(1000)

/** Whether a status may trend, by the aliases h, s and a. A reply to an unknown status has no parent here. */
const MAY_TREND = sql`${isPublicStatus('h')} and h.reblog_of_id is null and s.in_reply_to_id is null and not h.is_reply_to_other and not s.sensitive
  and ${isDiscoverable('a')} and not a.is_sensitized`

/** Joins the rows h, s and a of a status. */
const rowsOf = (statusId: string) => sql`
  cross join lateral (select id, author_id, visibility, reblog_of_id, is_reply_to_other, reblogs, favourites from status_head
    where id = ${sql.raw(statusId)} offset 0) h
  cross join lateral (select in_reply_to_id, sensitive from status where id = h.id offset 0) s
  cross join lateral (select discoverable, is_active, is_silenced, is_suspended, is_sensitized from account where id = h.author_id offset 0) a`

type Wanted = Viewer & TrendPage & { now: Date }

const SKELETONS = byShown((isShown, name) =>
  skeletonStatement<Wanted>(`trends.statuses-${name}`, {
    page: ({ viewerId, now, floor, limit, offset }) => sql`
      ${firstRows(
        sql`select t.status_id, h.reblog_of_id from status_trend t ${rowsOf('t.status_id')}
          where t.rank > ${floor} and ${isShown(sql`t.is_approved`)} and ${MAY_TREND}
            and not ${isKeptFrom(sql`${viewerId}::bigint`, 'h.author_id', sql`${now}::timestamptz`)}
          order by t.rank desc`,
        limit,
      )} offset ${offset}`,
  }),
)

/** Trending statuses, highest first, without authors hidden from the viewer by a block or mute: one statement. */
export const readStatusTrends = (database: Database<StatusesTables>, shown: Shown, wanted: Wanted): Promise<Skeleton> =>
  SKELETONS[shown](database, wanted)

type StatusTrendRow = { id: string; username: string; isApproved: boolean | null }

/** Trending statuses for an operator. */
export const listStatusTrends = prepared('trends.statuses-listed', ({ floor, limit }: { floor: number; limit: number }) =>
  firstRows(
    sql<StatusTrendRow>`select t.status_id id, a.username, t.is_approved from status_trend t
        cross join lateral (select author_id from status_head where id = t.status_id offset 0) h
        cross join lateral (select username from account where id = h.author_id offset 0) a
        where t.rank > ${floor} order by t.rank desc`,
    limit,
  ),
)

/** Stores a decision about a public status; no row if it is not one. */
export const reviewStatus = prepared(
  'trends.review-status',
  ({ id, isApproved }: { id: string; isApproved: boolean }) => sql<StatusTrendRow>`
    with decided as (
      insert into status_trend (status_id, is_approved)
      select h.id, ${isApproved}::boolean from status_head h where h.id = ${id} and ${isPublicStatus('h')} and h.reblog_of_id is null
      on conflict (status_id) do update set is_approved = excluded.is_approved returning status_id, is_approved)
    select d.status_id id, a.username, d.is_approved from decided d
    cross join lateral (select author_id from status_head where id = d.status_id offset 0) h
    cross join lateral (select username from account where id = h.author_id offset 0) a`,
)

/** Those of some statuses that no moderator has decided about. */
export const readUndecided = prepared(
  'trends.undecided-statuses',
  ({ ids }: { ids: readonly string[] }) => sql<{ id: string }>`
    select id from unnest(${ids}::bigint[]) wanted (id)
    where not ${hasRow(sql`from status_trend t where t.status_id = wanted.id and t.is_approved is not null`)}`,
)

type Cursor = { id: string; statusId: string }

/** Favourites after an id, in order. */
export const readFavourites = prepared('trends.favourites', ({ after, limit }: { after: string; limit: number }) =>
  firstRows(sql<Cursor>`select id, status_id from favourite where id > ${after} order by id`, limit),
)

/** Boosts among the statuses after an id, in order. */
export const readBoosts = prepared(
  'trends.boosts',
  ({ after, limit }: { after: string; limit: number }) => sql<{ id: string; statusId: string | null }>`
    ${firstRows(sql`select id, reblog_of_id status_id from status_head where id > ${after} order by id`, limit)}`,
)

/** Statuses ranked above a floor, highest first. */
export const readTrending = prepared(
  'trends.trending',
  ({ floor }: { floor: number }) => sql<{ statusId: string }>`
    select status_id from status_trend where rank > ${floor} order by rank desc limit ${MAX_TRENDING}`,
)

/** The number of boosts and favourites of a status by others than its author; 0 if it may not trend. */
export type Liked = { id: string; interactions: number }

/** Deleted statuses are left out. */
export const readLiked = prepared(
  'trends.count-liked',
  ({ ids }: { ids: readonly string[] }) => sql<Liked>`
    select h.id, case when ${MAY_TREND} then h.reblogs + h.favourites
        - (exists (select 1 from favourite where account_id = h.author_id and status_id = h.id offset 0))::int
        - (exists (select 1 from status_head where reblog_of_id = h.id and author_id = h.author_id offset 0))::int else 0 end interactions
    from unnest(${ids}::bigint[]) wanted (id) ${rowsOf('wanted.id')}`,
)

/** Locks statuses, so that none is deleted while it is ranked. */
export const holdStatuses = prepared(
  'trends.hold-statuses',
  ({ ids }: { ids: readonly string[] }) => sql<{ id: string }>`
    select id from status_head where id = any(${ids}::bigint[]) order by id for key share`,
)

/** Ranks locked statuses; -Infinity ends a trend. */
export const writeRanks = prepared(
  'trends.write-ranks',
  ({ ids, ranks }: { ids: readonly string[]; ranks: readonly number[] }) => sql<never>`
    with ranked as materialized (select id, rank from unnest(${ids}::bigint[], ${ranks}::float8[]) ranked (id, rank)),
    ended as (
      update status_trend t set rank = r.rank from ranked r where t.status_id = r.id and r.rank = '-infinity' and t.rank is not null)
    insert into status_trend (status_id, rank)
    select r.id, r.rank from ranked r where r.rank > '-infinity' order by r.id
    on conflict (status_id) do update set rank = excluded.rank where status_trend.rank is distinct from excluded.rank`,
)

/** Deletes some of the statuses that no longer trend and were never reviewed; returns them. */
export const forgetStatusTrends = prepared(
  'trends.forget-statuses',
  ({ floor, limit }: { floor: number; limit: number }) => sql<{ statusId: string }>`
    delete from status_trend where status_id = any(array(
      select status_id from status_trend where rank < ${floor} and is_approved is null order by rank desc limit ${limit} for update skip locked))
    returning status_id`,
)

export type Progress = { settledId: string; latestId: string; latestAt: Date }

/** The progress of reading favourites. */
export const readProgress = prepared(
  'trends.progress',
  () => sql<Progress>`select settled_id, latest_id, latest_at from trend_progress where source = 'favourite'`,
)

/**
 * Stores the progress, and counts the favourites by local people that became final for a day, in one statement: if a concurrent run stored its
 * progress first, nothing is counted twice.
 */
export const writeProgress = prepared(
  'trends.write-progress',
  ({ from, settledId, latestId, latestAt, day }: Progress & { from: string; day: number }) => sql<never>`
    with moved as (
      update trend_progress set settled_id = ${settledId}, latest_id = ${latestId}, latest_at = ${latestAt}
      where source = 'favourite' and settled_id = ${from}::bigint returning settled_id),
    favourites as materialized (
      select account_id from favourite where id > ${from}::bigint and id <= ${settledId}::bigint order by id limit ${MAX_COUNTED})
    insert into favourite_day (day, favourites)
    select ${day}::int, count(*) from favourites f cross join lateral (select domain from account where id = f.account_id offset 0) a
    where a.domain is null and exists (select 1 from moved) having count(*) > 0
    on conflict (day) do update set favourites = favourite_day.favourites + excluded.favourites`,
)

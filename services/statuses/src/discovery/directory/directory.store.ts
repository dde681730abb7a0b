import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isKeptFrom, isNotDirectStatus } from '../../audience/index.ts'

type Wanted = { viewerId: string; now: Date; limit: number; offset: number }

/** Whom a block parts from the viewer, or the viewer mutes, is left out. */
const isShown = ({ viewerId, now }: Wanted) => sql`a.discoverable and a.is_active and not a.is_silenced and not a.is_suspended
  and a.moved_to_id is null and not a.is_memorial and not ${isKeptFrom(sql.val(viewerId), 'a.id', sql`${now}::timestamptz`)}`

/** How many of the latest statuses say who posted last, to the status; who posted before comes by day. */
const LATEST = sql.lit(2000)

/**
 * The latest to post comes first. Direct statuses do not count. `offset 0` has authors looked up one by one: there are few, and the planner,
 * who does not know that, would read all accounts.
 */
export const readActive = prepared(
  'directory.active',
  (given: Wanted) => sql<{ id: string }>`
    with latest as materialized (
       select author_id, max(id) status_id from
         (select author_id, id from status_head h where ${isNotDirectStatus('h')} order by id desc limit ${LATEST}) newest
       group by author_id)
    select id from (
     (select a.id from (select * from latest order by status_id desc offset 0) latest
      cross join lateral (select id, discoverable, is_active, is_silenced, is_suspended, is_memorial, moved_to_id from account where id = latest.author_id offset 0) a
      where ${isShown(given)})
     union all
     (select a.id from account a where ${isShown(given)} and a.id not in (select author_id from latest)
      order by a.last_status_on desc nulls last, a.id desc limit ${given.limit}::bigint + ${given.offset}::bigint)) by_activity
    limit ${given.limit} offset ${given.offset}`,
)

/** The latest to join comes first. */
export const readNewest = prepared(
  'directory.new',
  (given: Wanted) => sql<{ id: string }>`
    select a.id from account a where ${isShown(given)} order by a.id desc limit ${given.limit} offset ${given.offset}`,
)

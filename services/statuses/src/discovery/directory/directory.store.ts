import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isKeptFrom, isNotDirectStatus } from '../../audience/index.ts'

type Wanted = { viewerId: string; now: Date; limit: number; offset: number }

/** Whom a block parts from the viewer, or the viewer mutes, is left out. */
const isShown = ({ viewerId, now }: Wanted) => sql`a.discoverable and a.is_active and not a.is_silenced and not a.is_suspended
  and a.moved_to_id is null and not a.is_memorial and not ${isKeptFrom(sql.val(viewerId), 'a.id', sql`${now}::timestamptz`)}`

/** Whose people are listed: those of every server that is known here, or of this one. */
type Scope = 'all' | 'local'
const SCOPES = { all: sql``, local: sql`and a.domain is null` } as const

/** How many of the latest statuses say who posted last, to the status; who posted before comes by day. */
const LATEST = sql.lit(2000)

/**
 * The latest to post comes first. Direct statuses do not count. `offset 0` has authors looked up one by one: there are few, and the planner,
 * who does not know that, would read all accounts.
 */
const readActiveOf = (scope: Scope) =>
  prepared(
    `directory.active-${scope}`,
    (given: Wanted) => sql<{ id: string }>`
    with latest as materialized (
       select author_id, max(id) status_id from
         (select author_id, id from status_head h where ${isNotDirectStatus('h')} ${scope === 'local' ? sql`and h.is_local` : sql``}
          order by id desc limit ${LATEST}) newest
       group by author_id)
    select id from (
     (select a.id from (select * from latest order by status_id desc offset 0) latest
      cross join lateral (
        select id, discoverable, is_active, is_silenced, is_suspended, is_memorial, moved_to_id, domain from account
        where id = latest.author_id offset 0) a
      where ${isShown(given)} ${SCOPES[scope]})
     union all
     (select a.id from account a where ${isShown(given)} ${SCOPES[scope]} and a.id not in (select author_id from latest)
      order by a.last_status_on desc nulls last, a.id desc limit ${given.limit}::bigint + ${given.offset}::bigint)) by_activity
    limit ${given.limit} offset ${given.offset}`,
  )

/** The latest to join comes first. */
const readNewestOf = (scope: Scope) =>
  prepared(
    `directory.new-${scope}`,
    (given: Wanted) => sql<{ id: string }>`
    select a.id from account a where ${isShown(given)} ${SCOPES[scope]} order by a.id desc limit ${given.limit} offset ${given.offset}`,
  )

/** People who want to be found, by when they posted or came, of every server or of this one. */
export const DIRECTORY = {
  active: { all: readActiveOf('all'), local: readActiveOf('local') },
  newest: { all: readNewestOf('all'), local: readNewestOf('local') },
} as const

import { prepared, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { accountsAmongKeptFrom, isKeptFrom, isNotDirectStatus, isRecommendable } from '../../audience/index.ts'

type Wanted = { viewerId: string; now: Date; limit: number; offset: number }
type Listed = { id: string; version: number }

const IS_LISTED_AT_ALL = isRecommendable('a')

/** Whether an account is listed for the viewer: not if a block either way, or the viewer's mute, hides it. */
const isShown = ({ viewerId, now }: Wanted) =>
  sql`${IS_LISTED_AT_ALL} and not ${isKeptFrom(sql.val(viewerId), 'a.id', sql`${now}::timestamptz`)}`

/** Which accounts are listed: those of all known servers, or local ones. */
type Scope = 'all' | 'local'
const SCOPES = { all: sql``, local: sql`and a.domain is null` } as const

/** Number of latest statuses whose authors are ordered by status; earlier authors are ordered by day. */
const LATEST = sql.lit(2000)
/** Maximum accounts cached for all viewers: pages far down, and some more. */
const MAX_KEPT = sql.lit(500)

/** The latest statuses, and the last status of each of their authors. Direct statuses do not count. */
const latestOf = (scope: Scope) => sql`
    newest as materialized (
       select author_id, id from status_head h where ${isNotDirectStatus('h')} ${scope === 'local' ? sql`and h.is_local` : sql``}
       order by id desc limit ${LATEST}),
    latest as materialized (select author_id, max(id) status_id from newest group by author_id)`

/**
 * Listed accounts, the latest to post first: authors of the latest statuses, then others by the day of their last post. `offset 0` has authors looked
 * up one by one: there are few, but the planner does not know that, and would read all accounts.
 */
const byActivity = (scope: Scope, isShown: RawBuilder<unknown>, many: RawBuilder<unknown>) => sql`
     (select a.id, a.version from (select * from latest order by status_id desc offset 0) latest
      cross join lateral (
        select id, version, discoverable, is_active, is_silenced, is_suspended, is_memorial, moved_to_id, domain from account
        where id = latest.author_id offset 0) a
      where ${isShown} ${SCOPES[scope]})
     union all
     (select a.id, a.version from account a where ${isShown} ${SCOPES[scope]} and a.id not in (select author_id from latest)
      order by a.last_status_on desc nulls last, a.id desc limit ${many})`

const readActiveOf = (scope: Scope) =>
  prepared(
    `directory.active-${scope}`,
    (given: Wanted) => sql<Listed & { isMany: boolean }>`
    with ${latestOf(scope)}
    select id, version, (select count(*) from newest) = ${LATEST} is_many
    from (${byActivity(scope, isShown(given), sql`${given.limit}::bigint + ${given.offset}::bigint`)}) by_activity
    limit ${given.limit} offset ${given.offset}`,
  )

/** The first accounts that anyone may be shown; no rows if the latest statuses are all statuses. */
const readLatestOf = (scope: Scope) =>
  prepared(
    `directory.latest-${scope}`,
    () => sql<{ id: string }>`
    with ${latestOf(scope)}
    select id from (${byActivity(scope, IS_LISTED_AT_ALL, MAX_KEPT)}) by_activity where (select count(*) from newest) = ${LATEST} limit ${MAX_KEPT}`,
  )

/** The first of the cached accounts for a viewer. */
const readKept = sharedQuery(
  'directory.kept',
  { viewerId: 'bigint', latest: 'text', now: 'timestamptz', limit: 'int', offset: 'int' },
  (given: Wanted & { latest: string }) => {
    const latest = sql`${given.latest}::bigint[]`
    return sql<Listed>`
    with kept_apart as materialized (
      ${accountsAmongKeptFrom(sql`${given.viewerId}::bigint`, latest, sql`${given.now}::timestamptz`)})
    select a.id, a.version from unnest(${latest}) with ordinality latest (id, place)
    cross join lateral (
      select id, version, discoverable, is_active, is_silenced, is_suspended, is_memorial, moved_to_id from account
      where id = latest.id offset 0) a
    where ${IS_LISTED_AT_ALL} and a.id not in (select id from kept_apart) order by latest.place limit ${given.limit} offset ${given.offset}`
  },
  { makesPages: true },
)

/** Newest accounts first. */
const readNewestOf = (scope: Scope) =>
  prepared(
    `directory.new-${scope}`,
    (given: Wanted) => sql<Listed>`
    select a.id, a.version from account a where ${isShown(given)} ${SCOPES[scope]} order by a.id desc limit ${given.limit} offset ${given.offset}`,
  )

/**
 * The cached list of latest authors, by scope, and the part of it for a viewer: for servers with so many posts that the list may be some seconds old.
 */
export const LATEST_AUTHORS = { all: readLatestOf('all'), local: readLatestOf('local'), read: readKept } as const

/** The accounts of the directory, by last post or by age, of all servers or local. */
export const DIRECTORY = {
  active: { all: readActiveOf('all'), local: readActiveOf('local') },
  newest: { all: readNewestOf('all'), local: readNewestOf('local') },
} as const

import { batching, type Memory, type Remembered, staleWhileRevalidate } from '@rookery/batching'
import { arrayLiteral, type Database, escapeLike, prepared, sharedQuery, untilWritten } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { type RawBuilder, sql } from 'kysely'
import {
  accountsAmongBlockedBy,
  accountsAmongBlocking,
  blocks,
  blocksDomainOf,
  follows,
  isNotSilencedUnless,
  isReachable,
  isUnrestricted,
} from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** Maximum strangers per search: one or two letters match very many handles. */
const MAX_STRANGERS = sql.lit(2000)

/** With at least so many strangers, the best are cached: they hardly change over time. */
const MANY_STRANGERS = sql.lit(200)
const MAX_KEPT = 500

/** `text` is the username, `domain` the beginning of the domain, if given. */
type Wanted = { viewerId: string; text: string; domain: string; ownDomain: string; following: boolean; limit: number; offset: number }

/** An account and its version. */
export type Found = { id: string; version: number }

/** Repeats the expression of the index. */
const holds = (account: string, pattern: RawBuilder<string>) =>
  sql`(' ' || lower(${sql.ref(`${account}.username`)}) || ' ' || lower(${sql.ref(`${account}.displayName`)})) like lower(${pattern})`

/**
 * Whether a search finds an account `a` with its `relation`. See `find` for silenced, blocking and blocked accounts, and those of blocked domains.
 */
const isFound = (following: RawBuilder<boolean>, { isBlocking, isBlocked }: Record<'isBlocking' | 'isBlocked', RawBuilder<unknown>>) => sql`
  ${isReachable('a')} and ${isNotSilencedUnless('a', sql`is_followed or is_exact`)} and (is_followed or not ${following})
    and not ${isBlocking} and (is_exact or not ${isBlocked})`

/**
 * The ranking of an account `a` with its `relation`: exact handle, followed by the viewer, same username on another server, handle with the prefix,
 * number of followers.
 */
const bestFirst = (handle: RawBuilder<unknown>) => sql`order by is_exact desc, is_followed desc, lower(a.username) = ${handle} desc,
  starts_with(lower(a.username), ${handle}) desc, a.followers_count desc, a.id`

/** Accounts by username and the beginning of their domain. */
const findHandles = prepared('search.handles', (given: Wanted) => {
  const [viewer, following] = [sql.val(given.viewerId), sql<boolean>`${given.following}::boolean`]
  const { ownDomain, domain, limit, offset } = given
  return sql<Found>`
    select a.id, a.version from (select * from account where lower(username) = lower(${given.text}::text) offset 0) a
    cross join lateral (select ${follows(viewer, 'a.id')} is_followed, a.domain = ${domain} is_exact) relation
    where starts_with(coalesce(a.domain, ${ownDomain}::text), ${domain}::text) and ${isFound(following, {
      isBlocking: blocks('a.id', viewer),
      isBlocked: sql`(${blocks(viewer, 'a.id')} or ${blocksDomainOf(viewer, 'a.id')})`,
    })}
    order by is_exact desc nulls last, is_followed desc, a.followers_count desc, a.id limit ${limit} offset ${offset}`
})

type Looked = Wanted & { pattern: string }

/**
 * Strangers by the beginning of their handle, then by words in their names; at most `MAX_STRANGERS`, so that a text that matches nearly everyone
 * costs no more than one that matches a few.
 */
const strangersOf = (handle: RawBuilder<unknown>, pattern: RawBuilder<string>, condition: RawBuilder<unknown>) => sql`
  select id from (
    select b.id from account b where b.is_active and ${condition}
      and lower(b.username) ~>=~ ${handle} and lower(b.username) ~<~ (${handle} || '~')
    union all
    select w.id from (select id, is_active from account w where ${holds('w', pattern)} offset 0) w where w.is_active and ${condition}) each_way
  limit ${MAX_STRANGERS}`

/** The strangers that anyone may be shown, in the order of a search. */
const readStrangers = prepared('search.strangers', (given: { text: string; pattern: string }) => {
  const handle = sql`lower(${given.text}::text)`
  return sql<{ id: string }>`
    select a.id from (select distinct id from (${strangersOf(handle, sql`${given.pattern}::text`, sql`true`)}) found offset 0) s
    cross join lateral (select id, username, followers_count, is_silenced, is_suspended from account where id = s.id offset 0) a
    where ${isUnrestricted('a')}
    order by starts_with(lower(a.username), ${handle}) desc, a.followers_count desc, a.id limit ${sql.lit(MAX_KEPT)}`
})

/**
 * `text` is the whole handle; with `following` only followed accounts are found. The order is the exact handle, then followed accounts, then handles
 * with the prefix. Silenced accounts are found by their followers and by the exact handle. Accounts that block the viewer are not found; accounts
 * that the viewer blocks only by the exact handle, so that the block can be removed. Handles are ASCII, so that all with a prefix sort before the
 * prefix with a tilde. `offset 0` has accounts looked up one by one: there are few, but the planner does not know that, and would read them all.
 */
const find = prepared('search.accounts', (given: Looked) => {
  const { limit, offset } = given
  const [viewer, pattern] = [sql`${given.viewerId}::bigint`, sql<string>`${given.pattern}::text`]
  const [handle, following] = [sql`lower(${given.text}::text)`, sql<boolean>`${given.following}::boolean`]
  const among = sql`array(select id from candidate)`
  return sql<Found & { isMany: boolean }>`
    with stranger as materialized (${strangersOf(handle, pattern, sql`not ${following}`)}),
     candidate as materialized (
       select e.id from account e where lower(e.username) = ${handle}
       union select k.id from follow f cross join lateral (
         select id, username, display_name from account where id = f.target_id offset 0) k where f.account_id = ${viewer} and ${holds('k', pattern)}
       union select id from stranger),
     followed as materialized (select target_id id from follow where account_id = ${viewer} and target_id = any(${among})),
     blocking as materialized (${accountsAmongBlocking(viewer, among)}),
     blocked as materialized (${accountsAmongBlockedBy(viewer, among)})
    select a.id, a.version, (select count(*) from stranger) >= ${MANY_STRANGERS} is_many from candidate c
    cross join lateral (select id, version, username, domain, followers_count, is_active, is_silenced, is_suspended from account where id = c.id offset 0) a
    cross join lateral (select a.id in (select id from followed) is_followed, lower(a.username) = ${handle} and a.domain is null is_exact) relation
    where ${isFound(following, { isBlocking: sql`a.id in (select id from blocking)`, isBlocked: sql`a.id in (select id from blocked)` })}
    ${bestFirst(handle)}
    limit ${limit} offset ${offset}`
})

const COLUMNS = sql`id, version, username, display_name, domain, followers_count, is_active, is_silenced, is_suspended`

/**
 * The cached strangers that anyone may still be shown, in order: the same for everyone who searches for the text. The exact handle is found
 * separately.
 */
const readShown = prepared(
  'search.strangers-shown',
  (given: { text: string; strangers: readonly string[] }) => sql<Found>`
    select a.id, a.version from (select id from unnest(${given.strangers}::bigint[]) with ordinality kept (id, place) order by place offset 0) s
    cross join lateral (select ${COLUMNS} from account where id = s.id offset 0) a
    where a.is_active and ${isUnrestricted('a')} and lower(a.username) <> lower(${given.text}::text)`,
)

/**
 * The part of a search among cached strangers that depends on the viewer: accounts found besides the strangers, best first, and the strangers hidden
 * from this viewer.
 */
const readOwn = sharedQuery(
  'search.accounts-own',
  { viewerId: 'bigint', text: 'text', pattern: 'text', limit: 'int', offset: 'int', strangers: 'text' },
  (given: Pick<Looked, 'viewerId' | 'text' | 'pattern' | 'limit' | 'offset'> & { strangers: string }) => {
    const { limit, offset } = given
    const [viewer, pattern, handle] = [sql`${given.viewerId}::bigint`, sql<string>`${given.pattern}::text`, sql`lower(${given.text}::text)`]
    const among = sql`array(select id from stranger union all select id from named union all select id from exact)`
    const isAmong = (ids: string) => sql`a.id in (select id from ${sql.raw(ids)})`
    return sql<Found & { isHidden: boolean }>`
    with followed as materialized (select target_id id from follow where account_id = ${viewer}),
     named as materialized (
       select a.* from followed cross join lateral (select ${COLUMNS} from account where id = followed.id offset 0) a where ${holds('a', pattern)}),
     exact as materialized (select ${COLUMNS} from account a where lower(a.username) = ${handle} and not ${isAmong('followed')}),
     stranger as materialized (select unnest(${given.strangers}::bigint[]) id),
     blocking as materialized (${accountsAmongBlocking(viewer, among)}),
     blocked as materialized (${accountsAmongBlockedBy(viewer, among)}),
     own as (
       select a.id, a.version from (select *, true is_followed from named union all select *, false from exact) a
       cross join lateral (select lower(a.username) = ${handle} and a.domain is null is_exact offset 0) relation
       where ${isFound(sql`false`, { isBlocking: isAmong('blocking'), isBlocked: isAmong('blocked') })}
       ${bestFirst(handle)}
       limit ${limit}::bigint + ${offset}::bigint)
    select id, version, false is_hidden from own
    union all
    select id, 0, true from stranger where id in (select id from followed union all select id from blocking union all select id from blocked)`
  },
  { makesPages: true },
)

/** Minimum letters to search within words as well: fewer would match everywhere. */
const MIN_WITHIN = 3

const patternOf = (text: string) => ([...text].length < MIN_WITHIN ? `% ${escapeLike(text)}%` : `%${escapeLike(text)}%`)

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

const MINUTE = 60_000
/** Cache of strangers by text. */
const KEPT = { max: 1000, freshFor: MINUTE, ttl: 15 * MINUTE }
/** Extra strangers beyond a page: the viewer may block some, and follow others. */
const SPARE = 20

/** The cached strangers of a text, in order. */
type Strangers = {
  readonly ids: readonly string[]
  /** Those of the first `count` that anyone may be shown now. */
  shown(count: number): Promise<readonly Found[]>
}

/** A memory for one key: most requests are for first pages. */
const oneRemembered = <Value>(): Memory<Value> => {
  let kept: { key: string; entry: Remembered<Value> } | undefined
  return {
    get: (key, isUsable) => (kept?.key === key && isUsable(kept.entry) ? kept.entry : undefined),
    set(key, entry) {
      kept = { key, entry }
    },
  }
}

/** Wraps cached strangers. Concurrent searches share the read of who is shown; without other writers, until an account changes. */
const strangersIn = (database: Database<StatusesTables>, text: string, ids: readonly string[]): Strangers => {
  const read = async (counts: string[]) => {
    const rows = counts.map((count) => readShown(database, { text, strangers: ids.slice(0, Number(count)) }))
    return new Map((await Promise.all(rows)).map((found, index) => [counts[index]!, found]))
  }
  const shown = batching(untilWritten(read, { writes: database.writes, tables: ['account'], memory: oneRemembered() }))
  return { ids, shown: async (count) => (await shown(String(count)))! }
}

/**
 * Finds accounts whose handle or name contains the text, or for a short text has a word that begins with it, best first. Texts with very many matches
 * find the same strangers for a minute, for every viewer; the exact handle, followed accounts and visibility are always current.
 */
export const accountFinder = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) => {
  const cached = staleWhileRevalidate<Strangers>({ ...KEPT, now: () => clock.now() })
  /** A page among the cached strangers; undefined if there may be others beyond them. */
  const findAmongKept = async (wanted: Looked, strangers: Strangers): Promise<Found[] | undefined> => {
    const { offset, limit } = wanted
    const enough = offset + limit + SPARE
    const first = arrayLiteral(strangers.ids.slice(0, enough))
    const [shown, own] = await Promise.all([strangers.shown(enough), readOwn(database, { ...wanted, strangers: first })])
    const hidden = new Set(own.filter(({ isHidden }) => isHidden).map(({ id }) => id))
    const found = [...own.filter(({ isHidden }) => !isHidden), ...shown.filter(({ id }) => !hidden.has(id))].slice(offset, offset + limit)
    const isAll = found.length === limit || strangers.ids.length < Math.min(enough, MAX_KEPT)
    return isAll ? found : undefined
  }
  return async (asked: Wanted): Promise<Found[]> => {
    const wanted = { ...asked, viewerId: asked.viewerId || '0', pattern: patternOf(asked.text) }
    if (wanted.domain) return findHandles(database, wanted)
    const key = wanted.text.toLowerCase()
    const read = async () => strangersIn(database, wanted.text, idsOf(await readStrangers(database, wanted)))
    const strangers = wanted.following ? undefined : cached.get(key, read)
    const found = strangers && (await findAmongKept(wanted, strangers))
    if (found) return found
    const rows = await find(database, wanted)
    if (!strangers && rows[0]?.isMany) cached.set(key, await read())
    return rows
  }
}

import { arrayLiteral, type Database, prepared, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { accountsAmongKeptFrom, accountsHiddenFrom, blocksDomainOf, isRecommendable } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A suggested account, with the reasons. */
export type SuggestionRow = { id: string; version: number; isPicked: boolean; mutuals: number; isPopular: boolean; isMany: boolean }

/** Maximum friends of friends, those with most mutuals. */
const MAX_NEAR = sql.lit(1000)
/** With at least so many follows of friends read, the result is cached. */
const MANY_FOLLOWS = sql.lit(200)

type Wanted = {
  viewerId: string
  now: Date
  /** The most followed accounts, in order. */
  popular: readonly string[]
  /** Maximum follows of the viewer that are examined, and follows of each; the latest of both. */
  friends: number
  ofEach: number
  limit: number
  offset: number
}

/**
 * Accounts never suggested to the viewer: those the viewer follows, requested to follow, blocks, mutes or dismissed, those who block the viewer, and
 * the viewer.
 */
const excluded = ({ viewerId, now }: Pick<Wanted, 'viewerId' | 'now'>) => sql`
    excluded as (
       select ${viewerId}::bigint id
       union all select target_id from follow where account_id = ${viewerId}
       union all select target_id from follow_request where account_id = ${viewerId}
       union all ${accountsHiddenFrom(sql.val(viewerId), sql`${now}::timestamptz`)}
       union all select target_id from suggestion_dismissal where account_id = ${viewerId})`

/** Friends of friends with their mutuals. Friends who hide their follows are left out. */
const near = ({ viewerId, friends, ofEach }: Pick<Wanted, 'viewerId' | 'friends' | 'ofEach'>) => sql`
    friend as (
       select f.target_id id from (select target_id, id from follow where account_id = ${viewerId} order by id desc limit ${friends}) f
       cross join lateral (select hide_collections from account where id = f.target_id offset 0) a where a.hide_collections is not true),
     theirs as materialized (
       select t.target_id from friend
       cross join lateral (select target_id from follow where account_id = friend.id order by id desc limit ${ofEach}) t),
     near as (
       select target_id id, count(*)::int mutuals from theirs where target_id not in (select id from excluded)
       group by target_id order by mutuals desc, target_id limit ${MAX_NEAR})`

/** Ranks accounts `a` of candidates `c`: staff picks in their order, then by mutuals, then by followers. */
const suggested = (
  { limit, offset }: Pick<Wanted, 'limit' | 'offset'>,
  isMany: RawBuilder<unknown>,
  isShown: RawBuilder<unknown>,
) => sql<SuggestionRow>`
    select c.id, a.version, c.place is not null is_picked, c.mutuals, c.popularity is not null is_popular, ${isMany} is_many
    from candidate c cross join lateral (
      select id, version, domain, followers_count, discoverable, is_active, is_silenced, is_suspended, is_memorial, moved_to_id from account
      where id = c.id offset 0) a
    where ${isRecommendable('a')} and ${isShown}
    order by c.place nulls last, c.mutuals desc, c.popularity nulls last, a.followers_count desc, c.id
    limit ${limit} offset ${offset}`

/** Reads suggestions, and whether many follows were read for them. */
export const readSuggestionRows = prepared(
  'suggestions.read',
  (given: Wanted) => sql<SuggestionRow>`
    with ${excluded(given)}, ${near(given)},
     reason as (
       select account_id id, id place, 0 mutuals, null::bigint popularity from staff_pick
       union all select id, null, mutuals, null from near
       union all
       select id, null, 0, place from unnest(${given.popular}::bigint[]) with ordinality popular (id, place)),
     candidate as (
       select id, min(place) place, max(mutuals) mutuals, min(popularity) popularity from reason
       where id not in (select id from excluded) group by id)
    ${suggested(given, sql`(select count(*) from theirs) >= ${MANY_FOLLOWS}`, sql`not ${blocksDomainOf(sql.val(given.viewerId), 'a.id')}`)}`,
)

/** Candidates for suggestions, with the number of mutuals and the rank among the most followed of each. */
export type Candidates = { ids: readonly string[]; mutuals: readonly number[]; popularity: readonly (number | null)[] }

type KeptWanted = Pick<Wanted, 'viewerId' | 'now' | 'limit' | 'offset'>

const readAmongKept = sharedQuery(
  'suggestions.read-kept',
  { viewerId: 'bigint', now: 'timestamptz', limit: 'int', offset: 'int', ids: 'text', mutuals: 'text', popularity: 'text' },
  (given: KeptWanted & Record<keyof Candidates, string>) => {
    const { viewerId, now, ids, mutuals, popularity } = given
    const among = sql`array(select id from candidate)`
    return sql<SuggestionRow>`
    with candidate as materialized (
       select id, min(place) place, max(mutuals) mutuals, min(popularity) popularity from (
         select account_id id, id place, 0 mutuals, null::bigint popularity from staff_pick
         union all
         select id, null, mutuals, popularity from unnest(${ids}::bigint[], ${mutuals}::int[], ${popularity}::bigint[]) kept (id, mutuals, popularity)) reason
       group by id),
     excluded as materialized (
       select ${viewerId}::bigint id
       union all select target_id from follow where account_id = ${viewerId}::bigint
       union all select target_id from follow_request where account_id = ${viewerId}::bigint
       union all select target_id from suggestion_dismissal where account_id = ${viewerId}::bigint
       union all ${accountsAmongKeptFrom(sql`${viewerId}::bigint`, among, sql`${now}::timestamptz`)})
    ${suggested(given, sql`true`, sql`c.id not in (select id from excluded)`)}`
  },
  { makesPages: true },
)

/** Reads suggestions from the staff picks and cached candidates. */
export const readKeptSuggestionRows = (
  database: Pick<Database<StatusesTables>, 'pool'>,
  { ids, mutuals, popularity, ...wanted }: Candidates & KeptWanted,
): Promise<SuggestionRow[]> =>
  readAmongKept(database, { ...wanted, ids: arrayLiteral(ids), mutuals: arrayLiteral(mutuals), popularity: arrayLiteral(popularity) })

/** A friend of friends. */
export type NearRow = { id: string; mutuals: number }

/** Friends of friends, those with most mutuals first. */
export const readNear = prepared(
  'suggestions.near',
  (given: Pick<Wanted, 'viewerId' | 'now' | 'friends' | 'ofEach' | 'limit'>) => sql<NearRow>`
    with ${excluded(given)}, ${near(given)}
    select n.id, n.mutuals from near n cross join lateral (select discoverable, is_active from account where id = n.id offset 0) a
    where a.discoverable and a.is_active order by n.mutuals desc, n.id limit ${given.limit}`,
)

/** The most followed accounts that may be recommended. Reads all accounts: call it rarely. */
export const readMostFollowed = prepared(
  'suggestions.most-followed',
  ({ limit }: { limit: number }) => sql<{ id: string }>`
    select id from account where ${isRecommendable()} and followers_count > 0
    order by followers_count desc, id limit ${limit}`,
)

/** Dismisses a suggestion, if there is such an account; idempotent. */
export const dismissRow = prepared('suggestions.dismiss', ({ viewerId, accountId }: { viewerId: string; accountId: string }) =>
  query
    .insertInto('suggestionDismissal')
    .columns(['accountId', 'targetId'])
    .expression(({ selectFrom }) =>
      selectFrom('account')
        .select([sql<string>`${viewerId}::bigint`.as('accountId'), 'id'])
        .where('id', '=', accountId),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { accountsHiddenFrom, blocksDomainOf } from '../../audience/index.ts'
import { query } from '../../database/query.ts'

/** An account with why it is suggested. */
export type SuggestionRow = { id: string; isPicked: boolean; mutuals: number; isPopular: boolean }

/** Friends of friends that are looked at, those with most mutuals. */
const MAX_NEAR = sql.lit(1000)

type Wanted = {
  viewerId: string
  now: Date
  /** Accounts that are followed most, the most first. */
  popular: readonly string[]
  /** How many of the viewer's follows are looked at, and how many of the follows of each, the latest of both. */
  friends: number
  ofEach: number
  limit: number
  offset: number
}

/**
 * Picks come first in their order, then whom most of one's own follow, then who is followed most. No one's follows are looked at who keeps
 * them to themselves.
 */
export const readSuggestionRows = prepared(
  'suggestions.read',
  ({ viewerId, now, popular, friends, ofEach, limit, offset }: Wanted) => sql<SuggestionRow>`
    with excluded as (
       select ${viewerId}::bigint id
       union all select target_id from follow where account_id = ${viewerId}
       union all select target_id from follow_request where account_id = ${viewerId}
       union all ${accountsHiddenFrom(sql.val(viewerId), sql`${now}::timestamptz`)}
       union all select target_id from suggestion_dismissal where account_id = ${viewerId}),
     friend as (
       select f.target_id id from (select target_id, id from follow where account_id = ${viewerId} order by id desc limit ${friends}) f
       cross join lateral (select hide_collections from account where id = f.target_id offset 0) a where a.hide_collections is not true),
     reason as (
       select account_id id, id place, 0 mutuals, null::bigint popularity from staff_pick
       union all
       (select theirs.target_id, null, count(*)::int mutuals, null from friend
        cross join lateral (select target_id from follow where account_id = friend.id order by id desc limit ${ofEach}) theirs
        where theirs.target_id not in (select id from excluded)
        group by theirs.target_id order by mutuals desc, theirs.target_id limit ${MAX_NEAR})
       union all
       select id, null, 0, place from unnest(${popular}::bigint[]) with ordinality popular (id, place)),
     candidate as (
       select id, min(place) place, max(mutuals) mutuals, min(popularity) popularity from reason
       where id not in (select id from excluded) group by id)
    select c.id, c.place is not null is_picked, c.mutuals, c.popularity is not null is_popular
    from candidate c cross join lateral (select * from account where id = c.id offset 0) a
    where a.discoverable and a.is_active and not a.is_silenced and not a.is_suspended and not a.is_memorial and a.moved_to_id is null
      and not ${blocksDomainOf(sql.val(viewerId), 'a.id')}
    order by c.place nulls last, c.mutuals desc, c.popularity nulls last, a.followers_count desc, c.id
    limit ${limit} offset ${offset}`,
)

/** Those that want to be found and are followed most. Reads every account: ask seldom. */
export const readMostFollowed = prepared(
  'suggestions.most-followed',
  ({ limit }: { limit: number }) => sql<{ id: string }>`
    select id from account where discoverable and is_active and not is_silenced and not is_suspended and not is_memorial
      and moved_to_id is null and followers_count > 0
    order by followers_count desc, id limit ${limit}`,
)

/** Suggests an account to the viewer no more, when there is such an account; again changes nothing. */
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

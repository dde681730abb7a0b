import { sqlText, statement } from '@rookery/database'
import { accountsHiddenFrom } from '../../audience/index.ts'

/** An account with why it is suggested. */
export type SuggestionRow = [id: string, isPicked: boolean, mutuals: number, isPopular: boolean]

/** Friends of friends that are looked at, those with most mutuals. */
const MOST_NEAR = 1000

/**
 * $1 viewer, $2 now, $3 accounts that are followed most, the most first, $4 how many of the viewer's follows are looked at, $5 and how many
 * of the follows of each, the latest of both; $6 limit, $7 offset. Picks come first in their order, then whom most of one's own follow, then
 * who is followed most. Nobody's follows are looked at who keeps them to themselves.
 */
export const readSuggestionRows = statement<SuggestionRow>(
  'suggestions.read',
  sqlText`with excluded as (
       select $1::bigint id
       union all select target_id from follow where account_id = $1
       union all select target_id from follow_request where account_id = $1
       union all ${accountsHiddenFrom('$1', '$2::timestamptz')}
       union all select target_id from suggestion_dismissal where account_id = $1),
     friend as (
       select f.target_id id from (select target_id, id from follow where account_id = $1 order by id desc limit $4) f
       join account a on a.id = f.target_id and a.hide_collections is not true),
     reason as (
       select account_id id, id place, 0 mutuals, null::bigint popularity from staff_pick
       union all
       (select theirs.target_id, null, count(*)::int mutuals, null from friend
        cross join lateral (select target_id from follow where account_id = friend.id order by id desc limit $5) theirs
        where theirs.target_id not in (select id from excluded)
        group by theirs.target_id order by mutuals desc, theirs.target_id limit ${MOST_NEAR})
       union all
       select id, null, 0, place from unnest($3::bigint[]) with ordinality popular (id, place)),
     candidate as (
       select id, min(place) place, max(mutuals) mutuals, min(popularity) popularity from reason
       where id not in (select id from excluded) group by id)
   select c.id, c.place is not null, c.mutuals, c.popularity is not null
   from candidate c join account a on a.id = c.id and a.discoverable and a.is_active and not a.is_silenced and not a.is_suspended
     and not a.is_memorial and a.moved_to_id is null
   order by c.place nulls last, c.mutuals desc, c.popularity nulls last, a.followers_count desc, c.id
   limit $6 offset $7`,
)

/** Those that want to be found and are followed most, at most $1. Reads every account: ask seldom. */
export const readMostFollowed = statement<[id: string]>(
  'suggestions.most-followed',
  `select id from account where discoverable and is_active and not is_silenced and not is_suspended and not is_memorial
     and moved_to_id is null and followers_count > 0
   order by followers_count desc, id limit $1`,
)

/** Has $1 hear no more of $2 as a suggestion, when there is such an account; again changes nothing. */
export const dismissRow = statement(
  'suggestions.dismiss',
  `insert into suggestion_dismissal (account_id, target_id) select $1, id from account where id = $2 on conflict do nothing`,
)

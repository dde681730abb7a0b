import { sqlText, statement } from '@rookery/database'
import { blocks } from '../../audience/index.ts'

/**
 * Each account of a list ($2) with those of its followers whom the viewer ($1) follows, at most $3 of each, the latest to be followed
 * first. The follows of the viewer are gone through, never the followers of the account, who may be everybody. Who keeps their follows to
 * themselves is left out, and what an account that blocks the viewer has. Unknown ids are left out.
 */
export const readFamiliarRows = statement<[id: string, followerIds: string[]]>(
  'graph.familiar-followers',
  sqlText`select a.id, array(
       select mine.target_id::text from follow mine
       cross join lateral (select 1 from follow where account_id = mine.target_id and target_id = a.id offset 0) theirs
       join account follower on follower.id = mine.target_id
       where mine.account_id = $1 and follower.is_active and not follower.is_suspended and follower.hide_collections is not true
         and not ${blocks('a.id', '$1')}
       order by mine.id desc limit $3)
   from unnest($2::bigint[]) with ordinality wanted (id, place) join account a on a.id = wanted.id and a.closed_at is null
   order by wanted.place`,
)

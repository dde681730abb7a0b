import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { blocks, isNotSuspended, isReachable, isThere } from '../../audience/index.ts'

/**
 * For each account of a list, its followers whom the viewer follows, at most `limit` of each, the most recently followed first. Scans the viewer's
 * follows, never the account's followers, who may be very many. Leaves out followers who hide their follows, and returns none for accounts that block
 * the viewer or hide their followers. Unknown ids and suspended accounts are left out.
 */
export const readFamiliarRows = prepared(
  'graph.familiar-followers',
  (given: { viewerId: string; accountIds: readonly string[]; limit: number }) => sql<{ id: string; followerIds: string[] }>`
    select a.id, array(
       select mine.target_id::text from follow mine
       cross join lateral (select 1 from follow where account_id = mine.target_id and target_id = a.id offset 0) theirs
       join account follower on follower.id = mine.target_id
       where a.hide_collections is not true and mine.account_id = ${given.viewerId} and ${isReachable('follower')}
         and follower.hide_collections is not true and not ${blocks('a.id', sql.val(given.viewerId))}
       order by mine.id desc limit ${given.limit}) follower_ids
    from unnest(${given.accountIds}::bigint[]) with ordinality wanted (id, place)
    join account a on a.id = wanted.id and ${isThere('a')} and ${isNotSuspended('a')}
    order by wanted.place`,
)

import { sqlText, statement } from '@rookery/database'
import { accountsMutingThread, viewersKeptFrom } from '../audience/index.ts'

/** Of the viewers $1: those who filter anything, with the versions of their contexts, as id:version,id:version. */
const FILTERING = `(select string_agg(id || ':' || context_version, ',') from account
    where id in (select account_id from filter where account_id = any($1::bigint[])))`

/** Ids of viewers by what is true of them, as text. */
export type ViewerFlagsRow = [
  favourited: string,
  reblogged: string,
  bookmarked: string,
  followers: string,
  mentioned: string,
  pinned: string,
  votes: string | null,
  muted: string,
  filtering: string | null,
  unwilling: string,
]

/**
 * Of the viewers: who favourited, boosted, bookmarked the target $2; who follows the author $4 (asked for private only, $5); whom the status
 * $3 mentions; who pinned the target; what they chose in its poll; who muted its thread; who filters anything; whom a block or mute keeps from the
 * authors $6 at the moment $7.
 */
export const readViewerFlags = statement<ViewerFlagsRow>(
  'views.viewer-flags',
  sqlText`select array(select account_id from favourite where status_id = $2 and account_id = any($1::bigint[]))::text,
     array(select author_id from status_head where reblog_of_id = $2 and author_id = any($1::bigint[]))::text,
     array(select account_id from bookmark where status_id = $2 and account_id = any($1::bigint[]))::text,
     array(select account_id from follow where $5 and target_id = $4 and account_id = any($1::bigint[]))::text,
     array(select account_id from mention where status_id = $3 and account_id = any($1::bigint[]))::text,
     array(select account_id from pin where status_id = $2)::text,
     (select string_agg(account_id || ':' || array_to_string(choices, '.'), ',')
       from poll_vote where status_id = $2 and account_id = any($1::bigint[])),
     array(${accountsMutingThread('$1', '(select thread_id from status_head where id = $2)')})::text,
     ${FILTERING},
     ${viewersKeptFrom('$6', '$1', '$7')}`,
)

/** Of the viewers: those whom a block or mute keeps from the author $2 at the moment $3; and who filters anything. */
export const readListeners = statement<[unwilling: string, filtering: string | null]>(
  'views.listeners',
  sqlText`select ${viewersKeptFrom('array[$2]', '$1', '$3')}, ${FILTERING}`,
)

/** Versions by account, from id:version,id:version. */
export const versionsOf = (text: string | null): Map<string, number> =>
  new Map((text ? text.split(',') : []).map((entry) => [entry.slice(0, entry.indexOf(':')), Number(entry.slice(entry.indexOf(':') + 1))]))

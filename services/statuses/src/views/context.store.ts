import { statement } from '@rookery/database'

/** Whom the viewer blocks, who blocks the viewer, mutes as id:milliseconds since 1970 when they end (0: never), context version. */
export type ContextRow = [blocking: string, blockedBy: string, muted: string, version: number]

/** What shapes reading for one viewer, in one statement. */
export const readContext = statement<ContextRow>(
  'views.context',
  `select
     array(select target_id from block where account_id = $1)::text,
     array(select account_id from block where target_id = $1)::text,
     coalesce((select string_agg(target_id || ':' || coalesce(floor(extract(epoch from expires_at) * 1000)::bigint, 0), ',')
               from mute where account_id = $1 and (expires_at is null or expires_at > $2)), ''),
     context_version
   from account where id = $1`,
)

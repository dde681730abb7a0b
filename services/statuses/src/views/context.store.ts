import { sqlText, statement } from '@rookery/database'
import { contextColumns } from '../audience/index.ts'
import type { StoredFilter } from '../database/tables/filter.ts'

/**
 * Who reads; whom they block, who blocks them, mutes as id:milliseconds since 1970 when they end (0: never), their filters, context version.
 */
export type ContextRow = [id: string, blocking: string, blockedBy: string, muted: string, filters: StoredFilter[] | null, version: number]

/** What shapes reading for the viewers $1 at the moment $2, in one statement. */
export const readContexts = statement<ContextRow>(
  'views.contexts',
  sqlText`select a.id,
     ${contextColumns('a.id', '$2')},
     (select json_agg(json_build_object('id', f.id::text, 'title', f.title, 'contexts', f.contexts, 'action', f.action,
          'expiresAt', floor(extract(epoch from f.expires_at) * 1000)::bigint,
          'keywords', coalesce((select json_agg(json_build_array(k.keyword, k.whole_word) order by k.id)
            from filter_keyword k where k.filter_id = f.id), '[]'),
          'statuses', array(select status_id::text from filter_status where filter_id = f.id)) order by f.id)
       from filter f where f.account_id = a.id and (f.expires_at is null or f.expires_at > $2)),
     a.context_version
   from account a where a.id = any($1::bigint[])`,
)

import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { contextColumns } from '../audience/index.ts'
import type { StoredFilter } from '../database/tables/filter.ts'

/** A viewer's blocks, mutes, domain blocks and filters. */
export type ContextRow = {
  id: string
  blocking: string[]
  blockedBy: string[]
  muted: string[]
  blockedDomains: string[]
  /** When the first mute expires, in milliseconds since 1970; null if none does. */
  muteEndsAt: number | null
  filters: StoredFilter[] | null
  contextVersion: number
}

/** Reads the contexts of many viewers in one statement. */
export const readContexts = prepared(
  'views.contexts',
  ({ viewerIds, now }: { viewerIds: readonly string[]; now: Date }) => sql<ContextRow>`
    select a.id,
      ${contextColumns('a.id', sql.val(now))},
      (select json_agg(json_build_object('id', f.id::text, 'title', f.title, 'contexts', f.contexts, 'action', f.action,
          'expiresAt', floor(extract(epoch from f.expires_at) * 1000)::bigint,
          'keywords', coalesce((select json_agg(json_build_array(k.keyword, k.whole_word) order by k.id)
            from filter_keyword k where k.filter_id = f.id), '[]'),
          'statuses', array(select status_id::text from filter_status where filter_id = f.id)) order by f.id)
        from filter f where f.account_id = a.id and (f.expires_at is null or f.expires_at > ${now})) filters,
      a.context_version
    from account a where a.id = any(${viewerIds}::bigint[])`,
)

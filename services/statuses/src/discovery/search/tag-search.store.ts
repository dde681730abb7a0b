import { type Database, hasRow, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { TagRecord } from '../../timelines/tags/index.ts'

/** Maximum tags examined per search: very many begin with a given letter. */
const MAX_CANDIDATES = sql.lit(2000)

type Wanted = { viewerId: string; prefix: string; excludeUnreviewed: boolean; limit: number; offset: number }

/**
 * `end` sorts after all names with the prefix. A tag never used in public is found only by those who follow or feature it; one that staff hid from
 * searches by no one. Those that staff decided about are in `trend`, where the decision stays.
 */
const find = prepared(
  'search.tags',
  ({ viewerId, prefix, excludeUnreviewed, end, limit, offset }: Wanted & { end: string }) => sql<TagRecord>`
    select t.id, t.name, t.display
    from (select id, name, display from tag where name ~>=~ ${prefix}::text and name ~<~ ${end}::text and is_listable
      order by name using ~<~ limit ${MAX_CANDIDATES}) t
    where (not ${excludeUnreviewed}::boolean or t.name = ${prefix}::text
        or ${hasRow(sql`from trend r where r.kind = 'tag' and r.key = t.name and r.is_approved is not null`)})
      and (${hasRow(sql`from status_tag u cross join lateral (select visibility from status_head where id = u.status_id offset 0) h
        where u.name = t.name and ${isPublicStatus('h')}`)}
      or ${hasRow(sql`from tag_follow f where f.account_id = ${viewerId} and f.name = t.name`)}
      or ${hasRow(sql`from featured_tag f where f.account_id = ${viewerId} and f.name = t.name`)})
    order by t.name = ${prefix}::text desc, length(t.name), t.name limit ${limit} offset ${offset}`,
)

const LAST_CHARACTER = '\u{10FFFF}'

/** Tags that begin with a normalised text: the exact tag first, then shorter ones first. */
export const findTags = (database: Database<StatusesTables>, wanted: Wanted): Promise<TagRecord[]> =>
  find(database, { ...wanted, viewerId: wanted.viewerId || '0', end: wanted.prefix + LAST_CHARACTER })

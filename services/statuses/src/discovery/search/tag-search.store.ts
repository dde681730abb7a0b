import { type Database, hasRow, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { TagRecord } from '../../timelines/tags/index.ts'

/** Tags looked at for one search: a single letter begins very many. */
const MAX_CANDIDATES = sql.lit(2000)

type Wanted = { viewerId: string; prefix: string; limit: number; offset: number }

/**
 * `end` is above all names that begin so. A tag that was never used in public is found only by those who follow or feature it, and one that
 * staff took from searches by no one.
 */
const find = prepared(
  'search.tags',
  ({ viewerId, prefix, end, limit, offset }: Wanted & { end: string }) => sql<TagRecord>`
    select t.id, t.name, t.display
    from (select id, name, display from tag where name ~>=~ ${prefix}::text and name ~<~ ${end}::text and is_listable
      order by name using ~<~ limit ${MAX_CANDIDATES}) t
    where ${hasRow(sql`from status_tag u cross join lateral (select visibility from status_head where id = u.status_id offset 0) h
        where u.name = t.name and ${isPublicStatus('h')}`)}
      or ${hasRow(sql`from tag_follow f where f.account_id = ${viewerId} and f.name = t.name`)}
      or ${hasRow(sql`from featured_tag f where f.account_id = ${viewerId} and f.name = t.name`)}
    order by t.name = ${prefix}::text desc, length(t.name), t.name limit ${limit} offset ${offset}`,
)

const LAST_CHARACTER = '\u{10FFFF}'

/** Tags that begin with a normalised text: the tag itself first, then the shorter ones. */
export const findTags = (database: Database<StatusesTables>, wanted: Wanted): Promise<TagRecord[]> =>
  find(database, { ...wanted, viewerId: wanted.viewerId || '0', end: wanted.prefix + LAST_CHARACTER })

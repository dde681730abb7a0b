import { type Database, sqlText, statement } from '@rookery/database'
import { isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { TagRecord } from '../../timelines/tags/index.ts'

/** Tags looked at for one search: a single letter begins very many. */
const MOST_CANDIDATES = 2000

/**
 * $1 how names begin, $2 what is above all of them, $3 limit, $4 offset, $5 the viewer. A tag that was never used in public is found by
 * whoever follows or shows it, and by nobody else.
 */
const find = statement<[id: string, name: string, display: string]>(
  'search.tags',
  sqlText`select t.id, t.name, t.display
   from (select id, name, display from tag where name ~>=~ $1::text and name ~<~ $2::text order by name using ~<~ limit ${MOST_CANDIDATES}) t
   where exists (select 1 from status_tag u join status_head h on h.id = u.status_id where u.name = t.name and ${isPublicStatus('h')})
     or exists (select 1 from tag_follow f where f.account_id = $5 and f.name = t.name)
     or exists (select 1 from featured_tag f where f.account_id = $5 and f.name = t.name)
   order by t.name = $1::text desc, length(t.name), t.name limit $3 offset $4`,
)

const LAST_CHARACTER = '\u{10FFFF}'

/** Tags that begin with a normalised text: the tag itself first, then the shorter ones. */
export const findTags = async (
  database: Database<StatusesTables>,
  wanted: { viewerId: string; prefix: string; limit: number; offset: number },
): Promise<TagRecord[]> => {
  const rows = await find(database, [wanted.prefix, wanted.prefix + LAST_CHARACTER, wanted.limit, wanted.offset, wanted.viewerId || '0'])
  return rows.map(([id, name, display]) => ({ id, name, display }))
}

import { type Database, statement } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'

/** A tag with the spelling that came first. */
export type FoundTag = { name: string; display: string }

/** How often a tag was used on a day, counted in days since 1970, and by how many. */
export type TagUse = { name: string; day: number; uses: number; accounts: number }

/** Tags looked at for one search: a single letter begins very many. */
const MOST_CANDIDATES = 2000

/** $1 how names begin, $2 what is above all of them, $3 limit, $4 offset. A tag that was never used in public is nobody's to find. */
const find = statement<[name: string, display: string]>(
  'search.tags',
  `select t.name, t.display
   from (select name, display from tag where name ~>=~ $1::text and name ~<~ $2::text order by name using ~<~ limit ${MOST_CANDIDATES}) t
   where exists (select 1 from status_tag u join status_head h on h.id = u.status_id where u.name = t.name and h.visibility = 1)
   order by t.name = $1::text desc, length(t.name), t.name limit $3 offset $4`,
)

const LAST_CHARACTER = '\u{10FFFF}'

/** Tags that begin with a normalised text: the tag itself first, then the shorter ones. */
export const findTags = async (
  database: Database<StatusesTables>,
  wanted: { prefix: string; limit: number; offset: number },
): Promise<FoundTag[]> => {
  const rows = await find(database, [wanted.prefix, wanted.prefix + LAST_CHARACTER, wanted.limit, wanted.offset])
  return rows.map(([name, display]) => ({ name, display }))
}

/** The spelling of a tag that came first. */
export const readTagDisplay = statement<[display: string]>('search.tag-display', 'select display from tag where name = $1')

const readUses = statement<[name: string, day: number, uses: number, accounts: number]>(
  'search.tag-uses',
  `select t.name, ((t.status_id >> 16) / 86400000)::int as day, count(*)::int, count(distinct h.author_id)::int
   from status_tag t join status_head h on h.id = t.status_id
   where t.name = any($1::text[]) and t.status_id >= $2 and h.visibility = 1 group by 1, 2`,
)

/** Public uses of tags by day, in statuses with ids from `sinceId` on: one statement for all. */
export const readTagUses = async (database: Database<StatusesTables>, names: readonly string[], sinceId: string): Promise<TagUse[]> => {
  const rows = await readUses(database, [names, sinceId])
  return rows.map(([name, day, uses, accounts]) => ({ name, day, uses, accounts }))
}

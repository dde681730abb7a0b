import { type Database, inBothOrders, keyset, type Page, statement } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import { byOpenAuthor, HAS_MEDIA, isTagged } from './listing.store.ts'

/**
 * $1 viewer, $2 below, $3 above, $4 limit, $5 any of these tags, $6 all of these, $7 none of these, $8 with media only,
 * $9 the tag that must be known. Replies too.
 */
const tagged = (order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.tag-${order}`,
    `select distinct t.status_id, h.reblog_of_id from status_tag t join status_head h on h.id = t.status_id
     where t.name = any($5::text[]) and t.status_id < $2 and t.status_id > $3 and ${isTagged('h')}
       and ($8::boolean is false or h.${HAS_MEDIA})
       and not exists (select 1 from unnest($6::text[]) every where not exists (
         select 1 from status_tag o where o.status_id = t.status_id and o.name = every))
       and not exists (select 1 from status_tag o where o.status_id = t.status_id and o.name = any($7::text[]))
       and ${byOpenAuthor('h.author_id')}
     order by t.status_id ${order} limit $4`,
    { withAudience: false, note: '(select count(*) from tag where name = $9)::text' },
  )

const STATEMENTS = inBothOrders(tagged)

/** Tags by normalised name: the one asked for, and which statuses carry any, all and none of them. */
export type TagQuery = { name: string; any: readonly string[]; all: readonly string[]; none: readonly string[]; onlyMedia: boolean }

/** A part of a tag's timeline, and whether anybody ever used the tag: one statement. */
export const readTagSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  query: TagQuery,
  page: Page,
): Promise<{ skeleton: Skeleton; isKnown: boolean }> => {
  const { order, bounds } = keyset(page)
  const values = [viewerId || '0', ...bounds, query.any, query.all, query.none, query.onlyMedia, query.name]
  const skeleton = skeletonOf(await STATEMENTS[order](database, values))
  return { skeleton, isKnown: skeleton.note !== '0' }
}

/** Whether anybody ever used the tag. */
export const readTagExists = statement<[name: string]>('timelines.tag-exists', 'select name from tag where name = $1')

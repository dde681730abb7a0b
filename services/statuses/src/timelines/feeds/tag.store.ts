import { type Database, inBothOrders, keyset, type Order, type Page, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'
import { byOpenAuthor, HAS_MEDIA, isTagged } from './listing.store.ts'

/** Tags by normalised name: the one asked for, and which statuses carry any, all and none of them. */
export type TagQuery = { name: string; any: readonly string[]; all: readonly string[]; none: readonly string[]; onlyMedia: boolean }

/** Replies too. */
const tagged = (order: Order) =>
  skeletonStatement<PageValues & TagQuery, boolean>(`timelines.tag-${order}`, {
    page: (given) => sql`
      select distinct t.status_id, h.reblog_of_id from status_tag t join status_head h on h.id = t.status_id
      where t.name = any(${given.any}::text[]) and t.status_id < ${given.below} and t.status_id > ${given.above} and ${isTagged('h')}
        and (${given.onlyMedia}::boolean is false or h.${HAS_MEDIA})
        and not exists (select 1 from unnest(${given.all}::text[]) every where not exists (
          select 1 from status_tag o where o.status_id = t.status_id and o.name = every))
        and not exists (select 1 from status_tag o where o.status_id = t.status_id and o.name = any(${given.none}::text[]))
        and ${byOpenAuthor('h.author_id')}
      order by t.status_id ${sql.raw(order)} limit ${given.limit}`,
    note: ({ name }) => sql`exists (select 1 from tag where name = ${name})`,
    withAudience: false,
  })

const STATEMENTS = inBothOrders(tagged)

/** A part of a tag's timeline, and whether anyone ever used the tag: one statement. */
export const readTagSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  wanted: TagQuery,
  page: Page,
): Promise<{ skeleton: Skeleton; isKnown: boolean }> => {
  const { order, below, above, limit } = keyset(page)
  const skeleton = await STATEMENTS[order](database, { ...wanted, viewerId: viewerId || '0', below, above, limit })
  return { skeleton, isKnown: skeleton.note }
}

/** A row when anyone ever used the tag. */
export const readTagExists = prepared('timelines.tag-exists', ({ name }: { name: string }) =>
  query.selectFrom('tag').select('name').where('name', '=', name),
)

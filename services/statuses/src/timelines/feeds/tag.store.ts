import { arrayLiteral, type Database, firstRows, hasRow, inBothOrders, keyset, type Order, type Page, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { commonSkeletonStatement, PAGE_TYPES, type PageValues, type Skeleton } from '../../views/index.ts'
import { byOpenAuthor, HAS_MEDIA, isTagged, type Origin } from './listing.store.ts'

/** Tags by normalised name: the one asked for, and which statuses carry any, all and none of them. */
type TagQuery = {
  name: string
  any: readonly string[]
  all: readonly string[]
  none: readonly string[]
  onlyMedia: boolean
  origin: Origin
}

/** As the statement takes it: lists as text, since readers who share it have one each. */
type Values = PageValues & Pick<TagQuery, 'name' | 'onlyMedia' | 'origin'> & Record<'any' | 'all' | 'none', string>

const TYPES = { ...PAGE_TYPES, name: 'text', any: 'text', all: 'text', none: 'text', onlyMedia: 'boolean', origin: 'text' } as const

/** Whether the status of a row `t` of status_tag carries a tag. */
const carries = (names: RawBuilder<unknown>) => hasRow(sql`from status_tag o where o.status_id = t.status_id and o.name = ${names}`)

/** As many of the statuses with one tag (`wanted.name`) as the page holds: those of several tags are found tag by tag. */
const firstOf = (given: Omit<Values, 'viewerId'>, order: Order) =>
  firstRows(
    sql`select t.status_id, h.reblog_of_id from status_tag t
      cross join lateral (select author_id, visibility, reblog_of_id, has_media, is_local from status_head where id = t.status_id offset 0) h
      where t.name = wanted.name and t.status_id < ${given.below} and t.status_id > ${given.above} and ${isTagged('h')}
        and (${given.onlyMedia}::boolean is false or h.${HAS_MEDIA})
        and (${given.origin}::text = 'everywhere' or h.is_local = (${given.origin}::text = 'local'))
        and not ${hasRow(sql`from unnest(${given.all}::text[]) every where not ${carries(sql`every`)}`)}
        and not ${carries(sql`any(${given.none}::text[])`)}
        and ${byOpenAuthor('h.author_id')}
      order by t.status_id ${sql.raw(order)}`,
    given.limit,
  )

/** Replies too. */
const tagged = (order: Order) =>
  commonSkeletonStatement<Values, boolean>(`timelines.tag-${order}`, {
    page: (given) => sql`
      select distinct found.status_id, found.reblog_of_id
      from unnest(${given.any}::text[]) wanted (name) cross join lateral (${firstOf(given, order)}) found
      order by found.status_id ${sql.raw(order)} limit ${given.limit}`,
    note: ({ name }) => sql`exists (select 1 from tag where name = ${name})`,
    types: TYPES,
  })

const STATEMENTS = inBothOrders(tagged)

/** A part of a tag's timeline, and whether anyone ever used the tag: one statement, and one for who is signed in. */
export const readTagSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  wanted: TagQuery,
  page: Page,
): Promise<{ skeleton: Skeleton; isKnown: boolean }> => {
  const { order, below, above, limit } = keyset(page)
  const { name, any, all, none, onlyMedia, origin } = wanted
  const lists = { any: arrayLiteral(any), all: arrayLiteral(all), none: arrayLiteral(none) }
  const skeleton = await STATEMENTS[order](database, { name, onlyMedia, origin, ...lists, viewerId: viewerId || '0', below, above, limit })
  return { skeleton, isKnown: skeleton.note }
}

/** A row when anyone ever used the tag. */
export const readTagExists = prepared('timelines.tag-exists', ({ name }: { name: string }) =>
  query.selectFrom('tag').select('name').where('name', '=', name),
)

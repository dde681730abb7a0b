import { arrayLiteral, type Database, firstRows, hasRow, inBothOrders, keyset, type Order, type Page, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isUnrestrictedAccount } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { commonSkeletonStatement, PAGE_TYPES, type PageValues, type Skeleton } from '../../views/index.ts'
import { HAS_MEDIA, isTagged, type Origin } from './listing.store.ts'

/** Normalised names: the requested tag, and tags of which statuses carry any, all and none. */
type TagQuery = {
  name: string
  any: readonly string[]
  all: readonly string[]
  none: readonly string[]
  onlyMedia: boolean
  origin: Origin
}

/** As parameters: lists as text, since readers who share the statement have one each. */
type Values = PageValues & Pick<TagQuery, 'name' | 'onlyMedia' | 'origin'> & Record<'any' | 'all' | 'none', string>

const TYPES = { ...PAGE_TYPES, name: 'text', any: 'text', all: 'text', none: 'text', onlyMedia: 'boolean', origin: 'text' } as const

/** Maximum uses of tags scanned per statement, the same number of each tag, and the number below which a tag is rare. */
const LOOKED_THROUGH = sql.lit(2000)
const RARE = sql.lit(100)

/** Whether the status of a row `t` of status_tag has a tag. */
const carries = (names: RawBuilder<unknown>) => hasRow(sql`from status_tag o where o.status_id = t.status_id and o.name = ${names}`)

type Asked = Omit<Values, 'viewerId'>

/** Maximum uses scanned per tag. */
const share = ({ any }: Asked) => sql`(${LOOKED_THROUGH} / greatest(1, cardinality(${any}::text[])))`

/** The uses of a tag within the page's bounds, in order: only columns of the index by tag, or Postgres may scan that of all statuses. */
const usesOf = (name: RawBuilder<unknown>, { below, above }: Asked, order: Order) =>
  sql`select status_id from status_tag where name = ${name} and status_id < ${below} and status_id > ${above} order by status_id ${sql.raw(order)}`

/** The first statuses with one tag (`driver.name`) that match, at most a page: several tags are read tag by tag. */
const firstOf = (given: Asked, order: Order) =>
  firstRows(
    sql`select t.status_id, h.reblog_of_id from (${usesOf(sql`driver.name`, given, order)} limit ${share(given)}) t
      cross join lateral (select author_id, visibility, reblog_of_id, has_media, is_local from status_head where id = t.status_id offset 0) h
      where ${isTagged('h')}
        and (${given.onlyMedia}::boolean is false or h.${HAS_MEDIA})
        and (${given.origin}::text = 'everywhere' or h.is_local = (${given.origin}::text = 'local'))
        and (not driver.is_rare or ${carries(sql`any(${given.any}::text[])`)})
        and not ${hasRow(sql`from unnest(${given.all}::text[]) every where not ${carries(sql`every`)}`)}
        and not ${carries(sql`any(${given.none}::text[])`)}
        and ${isUnrestrictedAccount('h.author_id')}
      order by t.status_id ${sql.raw(order)}`,
    given.limit,
  )

/**
 * Chooses the tags to scan: one that every status must have and that is rare, otherwise all those of `any`. If the page is not full and a tag has
 * more uses than were scanned, it ends at the last scanned status that others may see, of the tag that stops first: nothing beyond it is known.
 */
const found = (given: Asked, order: Order) => {
  const [bound, end, behind] = order === 'desc' ? [sql`max`, sql`min`, sql`>=`] : [sql`min`, sql`max`, sql`<=`]
  const isOpen = hasRow(sql`from status_tag where name = driver.name and status_id = u.status_id and is_open`)
  return sql`rare as materialized (
      select name from unnest(${given.all}::text[]) every (name)
      where (select count(*) from (${usesOf(sql`every.name`, given, order)} limit ${RARE}) u) < ${RARE} limit 1),
    driver as materialized (
      select name, true is_rare from rare
      union all select name, false from unnest(${given.any}::text[]) one (name) where not exists (select from rare)),
    found as materialized (
      select distinct first.status_id, first.reblog_of_id from driver cross join lateral (${firstOf(given, order)}) first
      order by first.status_id ${sql.raw(order)} limit ${given.limit}),
    edge as materialized (select case when (select count(*) from found) < ${given.limit} then (
      select ${bound}(looked.id) from driver cross join lateral (
        select case when count(*) = ${share(given)} then ${end}(status_id) filter (where ${isOpen}) end id
        from (${usesOf(sql`driver.name`, given, order)} limit ${share(given)}) u) looked) end id),
    known as materialized (
      select status_id, reblog_of_id from found where (select id from edge) is null or status_id ${behind} (select id from edge))`
}

type TagNote = { isKnown: boolean; readTo: string | null }

/** Includes replies. */
const tagged = (order: Order) =>
  commonSkeletonStatement<Values, TagNote>(`timelines.tag-${order}`, {
    parts: (given) => found(given, order),
    page: () => sql`select status_id, reblog_of_id from known order by status_id ${sql.raw(order)}`,
    note: ({ name }) =>
      sql`json_build_object('isKnown', exists (select 1 from tag where name = ${name}), 'readTo', (select id from edge)::text)`,
    types: TYPES,
  })

const STATEMENTS = inBothOrders(tagged)

/** A part of a tag's timeline, and whether the tag was ever used: one statement, and one more for signed-in viewers. */
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
  const { isKnown, readTo } = skeleton.note
  return { skeleton: readTo === null ? skeleton : { ...skeleton, readTo }, isKnown }
}

/** Returns a row if the tag was ever used. */
export const readTagExists = prepared('timelines.tag-exists', ({ name }: { name: string }) =>
  query.selectFrom('tag').select('name').where('name', '=', name),
)

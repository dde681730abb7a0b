import { type Bounds, hasRow, type Order } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isMentioned } from '../../audience/index.ts'
import type { Property } from './query.rules.ts'

/** Accounts by lower-case handle, with a domain for remote ones, and by id. */
export type AccountNames = { handles: readonly string[]; ids: readonly string[] }

/** The conditions of a search for statuses; words are for websearch_to_tsquery. */
export type StatusSearch = Bounds & {
  viewerId: string
  /** The time at which mutes count. */
  now: Date
  order: Order
  offset: number
  words: string | null
  unwantedWords: string | null
  /** Regular expressions that every match must fit, or must not fit. */
  wholeWords: readonly string[]
  unwantedWholeWords: readonly string[]
  /** Undefined for any author. */
  authors: AccountNames | undefined
  onlyAuthorId: string | null
  unwantedAuthors: AccountNames
  having: readonly Property[]
  notHaving: readonly Property[]
  languages: readonly string[]
  notLanguages: readonly string[]
  inLibrary: boolean
  inPublic: boolean
}

/** The parameters of the statement: handles and ids separately. */
export type Values = Omit<StatusSearch, 'order' | 'authors' | 'unwantedAuthors'> &
  Record<'authorNames' | 'authorIds' | 'unwantedNames' | 'unwantedIds', readonly string[]>

/** Whether the viewer wrote a status or interacted with it (beyond-the-spec 1.16). */
const isInLibraryOf = (viewerId: string) => sql`(h.author_id = ${viewerId}
  or ${hasRow(sql`from favourite where account_id = ${viewerId} and status_id = h.id`)}
  or ${hasRow(sql`from bookmark where account_id = ${viewerId} and status_id = h.id`)}
  or ${isMentioned('h.id', sql`${viewerId}`)}
  or ${hasRow(sql`from status_head boost where boost.reblog_of_id = h.id and boost.author_id = ${viewerId}`)})`

/** The ids of accounts by handles and by ids, as an array. */
export const idsOf = (names: readonly string[], ids: readonly string[]) =>
  sql`array(select id from account where lower(username) = any(array(select split_part(name, '@', 1) from unnest(${names}::text[]) name))
      and concat_ws('@', lower(username), domain) = any(${names}::text[])
    union all select unnest(${ids}::bigint[]))`

/** The query is parsed once and not for each row: the text is a parameter. */
export const matches = (words: string | null) => sql`@@ (select websearch_to_tsquery('simple'::regconfig, ${words}::text))`

/**
 * Maximum rows of each index that a search examines, from the end at which its page begins. First a few, enough for a page of common words; if the
 * page is not full, more; fewer if no words narrow the search, since each row is looked up.
 */
const REACH = { near: 1000, middle: 5000, far: 20_000 } as const
export type Reach = keyof typeof REACH

const within = (column: string, { below, above }: Bounds) => sql`${sql.raw(column)} < ${below} and ${sql.raw(column)} > ${above}`

/** The first rows of an index on an account and a status. */
const firstOf = (
  [table, owner, column]: readonly [table: string, owner: string, column: string],
  person: RawBuilder<unknown>,
  { given, order, limit }: { given: Values; order: Order; limit: number },
) =>
  sql`select ${sql.raw(column)} id from ${sql.raw(table)} where ${sql.raw(owner)} = ${person} and ${within(column, given)}
    order by ${sql.raw(column)} ${sql.raw(order)} limit ${sql.lit(limit)}`

/**
 * All statuses with the words, before ordering: Postgres would otherwise read all statuses in order, because it cannot estimate how many have the
 * words.
 */
const holding = (which: RawBuilder<unknown>, given: Values, order: Order, reach: Reach) =>
  sql`select id from (select id from status where ${which} and search ${matches(given.words)} offset 0) found
    where ${within('id', given)} order by id ${sql.raw(order)} limit ${sql.lit(REACH[reach])}`

/** Public statuses of indexable authors: newest first, or all with the words. `id > 0` selects the index by order, its absence the index of words. */
const FINDABLE = {
  newest: (given: Values, order: Order, reach: Reach) =>
    sql`select id, ${given.words}::text is null or search ${matches(given.words)} fits from status
      where is_findable and id > 0 and ${given.inPublic}::boolean and ${within('id', given)}
      order by id ${sql.raw(order)} limit ${sql.lit(REACH[reach])}`,
  words: (given: Values, order: Order, reach: Reach) =>
    sql`select id, true fits from (${holding(sql`is_findable and ${given.inPublic}::boolean`, given, order, reach)}) held`,
}

/** Statuses sampled to see whether words are common in an author's statuses. */
const SAMPLE = 100

/**
 * An author's statuses: newest first if there are few, or if the words are common among them so that a few fill a page; otherwise all with the words.
 * For a very prolific author, or very many authors, only far searches use the index of words, which `author_id > 0` selects.
 */
const writtenBy = (author: RawBuilder<unknown>, given: Values, order: Order, reach: Reach) => {
  const newest = (limit: number) => firstOf(['status_head', 'author_id', 'id'], author, { given, order, limit })
  const people = sql`greatest(1, cardinality(${given.authorNames}::text[]) + cardinality(${given.authorIds}::bigint[]))`
  const isBounded = reach === 'near' ? sql`statuses_count <= ${sql.lit(REACH.far)} / ${people}` : sql`true`
  const isMuch = sql`statuses_count > ${sql.lit(REACH.near)} and ${isBounded}`
  return sql`
    with way as materialized (
      select ${given.words}::text is not null and (select ${isMuch} from account where id = ${author}) and (
        select count(*) < ${given.limit}::bigint + ${given.offset}::bigint from (${newest(SAMPLE)}) newest
        cross join lateral (select from status where id = newest.id and search ${matches(given.words)} offset 0) fitting) is_by_words)
    (select id from (${newest(REACH[reach])}) newest where not (select is_by_words from way))
    union all
    (${holding(sql`author_id = ${author} and author_id > 0 and (select is_by_words from way)`, given, order, reach)})`
}

/** The end of a truncated part, by its lowest and highest status: nothing beyond it is known. */
const edgeOf = (cut: RawBuilder<unknown>, order: Order) =>
  sql`edge as materialized (select ${sql.raw(order === 'desc' ? 'max(lowest)' : 'min(highest)')} id from (${cut}) cut)`

/** Where a search takes its candidates from. */
export type Source = {
  /** CTEs that end with `candidate` (id, is_own) and `edge` (id, null if nothing was truncated). */
  parts: (given: Values, order: Order, reach: Reach) => RawBuilder<unknown>
  /** Whether a candidate that is not findable by everyone is in the viewer's library. */
  isInLibrary: (given: Values) => RawBuilder<unknown>
}

const cutPart = (name: string, reach: Reach) =>
  sql`select min(id) lowest, max(id) highest from ${sql.raw(name)} having count(*) >= ${sql.lit(REACH[reach])}`

/**
 * Statuses findable by everyone, and the viewer's library. A boost is made after the boosted status: the originals of boosts beyond the last one read
 * are below it, so that in ascending order nothing is known once boosts were truncated.
 */
export const everything = (findable: keyof typeof FINDABLE): Source => ({
  parts: (given, order, reach) => {
    const viewer = sql`${given.viewerId}`
    const ofLibrary = (rows: RawBuilder<unknown>) => sql`select id from (${rows}) rows where ${given.inLibrary}::boolean`
    const marked = (table: string) => ofLibrary(firstOf([table, 'account_id', 'status_id'], viewer, { given, order, limit: REACH[reach] }))
    return sql`
    findable as materialized (${FINDABLE[findable](given, order, reach)}),
    own as materialized (${ofLibrary(writtenBy(viewer, given, order, reach))}),
    liked as materialized (${marked('favourite')}),
    kept as materialized (${marked('bookmark')}),
    addressed as materialized (${marked('mention')}),
    boost as materialized (
      select id, reblog_of_id from status_head
      where author_id = ${viewer} and reblog_of_id is not null and id > 0 and ${given.inLibrary}::boolean
      order by id desc limit ${sql.lit(REACH[reach])}),
    ${edgeOf(
      sql`${sql.join(
        ['findable', 'own', 'liked', 'kept', 'addressed'].map((name) => cutPart(name, reach)),
        sql` union all `,
      )} union all select lowest, ${given.above}::bigint from (${cutPart('boost', reach)}) boosts`,
      order,
    )},
    candidate as materialized (
      select id, bool_or(is_own) is_own from (
        select id, false is_own from findable where fits
        union all select id, true from own union all select id, true from liked union all select id, true from kept
        union all select id, true from addressed
        union all select reblog_of_id, true from boost where ${within('reblog_of_id', given)}) found
      group by id)`
  },
  isInLibrary: () => sql`s.is_own`,
})

/** The statuses of some authors. */
export const ofAuthors: Source = {
  parts: (given, order, reach) => sql`
    written as materialized (
      select author.id author_id, own.id from (select distinct id from unnest(${idsOf(given.authorNames, given.authorIds)}) one (id)) author
      cross join lateral (${writtenBy(sql`author.id`, given, order, reach)}) own),
    ${edgeOf(
      sql`select min(id) lowest, max(id) highest from written group by author_id having count(*) >= ${sql.lit(REACH[reach])}`,
      order,
    )},
    candidate as materialized (select id, false is_own from written)`,
  isInLibrary: ({ viewerId }) => isInLibraryOf(viewerId),
}

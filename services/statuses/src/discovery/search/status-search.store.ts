import { batching } from '@rookery/batching'
import { type Bounds, type Database, hasRow, inBothOrders, type Order, withStatementLimit } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { blocks, follows, isInAudienceOf, isMentioned, isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonStatement } from '../../views/index.ts'
import { PROPERTIES, type Property } from './query.rules.ts'

/** How each property shows in the rows. What is embedded is what a card can show by itself: a player or a photo. */
const EXPRESSIONS: Record<Property, RawBuilder<unknown>> = {
  media: sql`h.has_media`,
  poll: hasRow(sql`from poll where status_id = h.id`),
  embed: hasRow(sql`from status_card c cross join lateral (select card from preview_card where digest = c.digest offset 0) p
    where c.status_id = h.id and p.card ->> 'type' <> 'link'`),
  link: sql`s.text ~* 'https?://'`,
  reply: sql`s.in_reply_to_id is not null`,
  sensitive: sql`s.sensitive`,
}

/** Some accounts, by lower-case handle, with a domain for those of other servers, and by id. */
export type AccountNames = { handles: readonly string[]; ids: readonly string[] }

/** Which statuses are looked for; words are in the language of websearch_to_tsquery. */
type StatusSearch = Bounds & {
  viewerId: string
  order: Order
  offset: number
  words: string | null
  unwantedWords: string | null
  /** Regular expressions that fit all, or none, of what is found. */
  wholeWords: readonly string[]
  unwantedWholeWords: readonly string[]
  /** Undefined for everyone's. */
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

/** As the statement takes it: accounts by handles and ids apart. */
type Values = Omit<StatusSearch, 'order' | 'authors' | 'unwantedAuthors'> &
  Record<'authorNames' | 'authorIds' | 'unwantedNames' | 'unwantedIds', readonly string[]>

const hasProperties = ({ having, notHaving }: Values) =>
  sql.join(
    PROPERTIES.map((property) => {
      const [has, name] = [EXPRESSIONS[property], sql.lit(property)]
      return sql`and (${has} or ${name} <> all(${having}::text[])) and (not ${has} or ${name} <> all(${notHaving}::text[]))`
    }),
    sql` `,
  )

/** What the viewer wrote or did something with (beyond-the-spec 1.16). */
const isInLibraryOf = (viewerId: string) => sql`(h.author_id = ${viewerId}
  or ${hasRow(sql`from favourite where account_id = ${viewerId} and status_id = h.id`)}
  or ${hasRow(sql`from bookmark where account_id = ${viewerId} and status_id = h.id`)}
  or ${isMentioned('h.id', sql`${viewerId}`)}
  or ${hasRow(sql`from status_head boost where boost.reblog_of_id = h.id and boost.author_id = ${viewerId}`)})`

const idsOf = (names: readonly string[], ids: readonly string[]) =>
  sql`array(select id from account where lower(username) = any(array(select split_part(name, '@', 1) from unnest(${names}::text[]) name))
      and concat_ws('@', lower(username), domain) = any(${names}::text[])
    union all select unnest(${ids}::bigint[]))`

/** The words are read once and not for each row: the text is a value. */
const matches = (words: string | null) => sql`@@ (select websearch_to_tsquery('simple'::regconfig, ${words}::text))`

/**
 * How many rows of each index a search looks at, from the end its page begins at: first a few, which hold a page of what is common, and where
 * those leave the page open, more.
 */
const REACH = { near: 1000, far: 20_000 } as const
type Reach = keyof typeof REACH

const within = (column: string, { below, above }: Bounds) => sql`${sql.raw(column)} < ${below} and ${sql.raw(column)} > ${above}`

/** The first rows of an index that begins with a person and goes on with statuses. */
const firstOf = (table: string, owner: string, column: string, given: Values, order: Order, reach: Reach) =>
  sql`select ${sql.raw(column)} id from ${sql.raw(table)} where ${sql.raw(owner)} = ${given.viewerId} and ${given.inLibrary}::boolean
    and ${within(column, given)} order by ${sql.raw(column)} ${sql.raw(order)} limit ${sql.lit(REACH[reach])}`

/**
 * Public statuses of authors who let themselves be found: newest first, or all that hold the words. Words are found apart from the order of the page:
 * Postgres would rather read all statuses in that order, of which it does not know how many hold the words. `id > 0` names the index that has the
 * order, and its absence the one that has the words.
 */
const FINDABLE = {
  newest: (given: Values, order: Order, reach: Reach) =>
    sql`select id, ${given.words}::text is null or search ${matches(given.words)} fits from status
      where is_findable and id > 0 and ${given.inPublic}::boolean and ${within('id', given)}
      order by id ${sql.raw(order)} limit ${sql.lit(REACH[reach])}`,
  words: (given: Values, order: Order, reach: Reach) =>
    sql`select id, true fits from (select id from status where is_findable and search ${matches(given.words)} offset 0) found
      where ${given.inPublic}::boolean and ${within('id', given)} order by id ${sql.raw(order)} limit ${sql.lit(REACH[reach])}`,
}

/** Where a part that was cut off ends, by its lowest and highest status: nothing beyond that is known. */
const edgeOf = (cut: RawBuilder<unknown>, order: Order) =>
  sql`edge as materialized (select ${sql.raw(order === 'desc' ? 'max(lowest)' : 'min(highest)')} id from (${cut}) cut)`

type Source = {
  /** Named queries that end with `candidate` (id, is_own) and `edge` (id, null when nothing was cut off). */
  parts: (given: Values, order: Order, reach: Reach) => RawBuilder<unknown>
  /** Whether a candidate that no one may simply find is of the viewer's library. */
  isInLibrary: (given: Values) => RawBuilder<unknown>
}

const cutPart = (name: string, reach: Reach) =>
  sql`select min(id) lowest, max(id) highest from ${sql.raw(name)} having count(*) >= ${sql.lit(REACH[reach])}`

/**
 * What may be found by everyone, and the viewer's library. A boost is made after what it boosts: of originals whose boosts were not read all are below the last boost that
 * was, so upwards nothing is known where boosts were cut off.
 */
const everything = (findable: keyof typeof FINDABLE): Source => ({
  parts: (given, order, reach) => sql`
    findable as materialized (${FINDABLE[findable](given, order, reach)}),
    own as materialized (${firstOf('status_head', 'author_id', 'id', given, order, reach)}),
    liked as materialized (${firstOf('favourite', 'account_id', 'status_id', given, order, reach)}),
    kept as materialized (${firstOf('bookmark', 'account_id', 'status_id', given, order, reach)}),
    addressed as materialized (${firstOf('mention', 'account_id', 'status_id', given, order, reach)}),
    boost as materialized (
      select id, reblog_of_id from status_head where author_id = ${given.viewerId} and ${given.inLibrary}::boolean
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
        union all select reblog_of_id, true from boost where reblog_of_id is not null and ${within('reblog_of_id', given)}) found
      group by id)`,
  isInLibrary: () => sql`s.is_own`,
})

/** What some people wrote. */
const ofAuthors: Source = {
  parts: (given, order, reach) => sql`
    written as materialized (
      select author.id author_id, own.id from (select distinct id from unnest(${idsOf(given.authorNames, given.authorIds)}) one (id)) author
      cross join lateral (select id from status_head where author_id = author.id and ${within('id', given)}
        order by id ${sql.raw(order)} limit ${sql.lit(REACH[reach])}) own),
    ${edgeOf(
      sql`select min(id) lowest, max(id) highest from written group by author_id having count(*) >= ${sql.lit(REACH[reach])}`,
      order,
    )},
    candidate as materialized (select id, false is_own from written)`,
  isInLibrary: ({ viewerId }) => isInLibraryOf(viewerId),
}

/** All that the words of a status are taken from. */
const CONTENT = sql`concat_ws(' ', s.spoiler_text, s.text, jsonb_path_query_array(s.attachments, '$[*].description'))`

/** Whether a search with this reach says nothing of what lies beyond its edge; far searches show what they found. */
const isKnown = (order: Order, reach: Reach) => {
  if (reach === 'far') return sql`true`
  return sql`((select id from edge) is null or id ${sql.raw(order === 'desc' ? '>=' : '<=')} (select id from edge))`
}

/**
 * `offset 0` keeps candidates apart and has each looked up by its id, in order, until the page is full: left to itself Postgres reads all
 * statuses, because it cannot know how few are asked for. The words come first: of someone's own statuses mostly few hold them. Who may see a status is asked here too, so that a page is not emptied by what the
 * views would take out. The note says whether there may be more than was looked at.
 */
const search = (name: string, { parts, isInLibrary }: Source, reach: Reach) =>
  inBothOrders((order) =>
    skeletonStatement<Values, boolean>(`search.statuses-${name}-${reach}-${order}`, {
      parts: (given) => parts(given, order, reach),
      page: (given) => {
        const viewer = sql`${given.viewerId}`
        return sql`select h.id status_id, h.reblog_of_id
          from (
            select * from (select id, is_own from candidate where ${isKnown(order, reach)} order by id ${sql.raw(order)} offset 0) c
            cross join lateral (
              select text, spoiler_text, attachments, search, language, sensitive, in_reply_to_id from status
              where id = c.id and (${given.words}::text is null or search ${matches(given.words)}) offset 0) found
            order by c.id ${sql.raw(order)} offset 0) s
          cross join lateral (select id, author_id, visibility, reblog_of_id, has_media from status_head where id = s.id offset 0) h
          cross join lateral (select indexable, is_silenced, is_suspended from account where id = h.author_id offset 0) a
          where h.reblog_of_id is null
            and (${given.unwantedWords}::text is null or not s.search ${matches(given.unwantedWords)})
            and (cardinality(${given.wholeWords}::text[]) = 0 or ${CONTENT} ~* all(${given.wholeWords}::text[]))
            and (cardinality(${given.unwantedWholeWords}::text[]) = 0 or not ${CONTENT} ~* any(${given.unwantedWholeWords}::text[]))
            and (${given.onlyAuthorId}::bigint is null or h.author_id = ${given.onlyAuthorId})
            and h.author_id <> all(${idsOf(given.unwantedNames, given.unwantedIds)})
            ${hasProperties(given)}
            and (cardinality(${given.languages}::text[]) = 0 or lower(s.language) = any(${given.languages}::text[]))
            and (s.language is null or lower(s.language) <> all(${given.notLanguages}::text[]))
            and not a.is_suspended
            and ((${given.inPublic}::boolean and ${isPublicStatus('h')} and a.indexable and (not a.is_silenced or ${follows(viewer, 'h.author_id')}))
              or (${given.inLibrary}::boolean and ${isInLibrary(given)}))
            and not ${blocks('h.author_id', viewer)} and ${isInAudienceOf('h', viewer)}
          order by s.id ${sql.raw(order)} limit ${given.limit} offset ${given.offset}`
      },
      note: () => sql`(select id is not null from edge)`,
    }),
  )

const NEAR = { everything: search('newest', everything('newest'), 'near'), authors: search('authors', ofAuthors, 'near') }
const FAR = {
  everything: search('newest', everything('newest'), 'far'),
  words: search('words', everything('words'), 'far'),
  authors: search('authors', ofAuthors, 'far'),
}

/** Far searches under way, those that wait for them, and how long one may take, in milliseconds: a search never holds up other pages. */
const FAR_AT_ONCE = 2
const MAX_WAITING = 4
const FAR_LIMIT = 2000

const valuesOf = ({ authors, unwantedAuthors, order: _, ...values }: StatusSearch): Values => ({
  ...values,
  authorNames: authors?.handles ?? [],
  authorIds: authors?.ids ?? [],
  unwantedNames: unwantedAuthors.handles,
  unwantedIds: unwantedAuthors.ids,
})

const farOf = ({ authors, words, inPublic }: StatusSearch) => {
  if (authors) return FAR.authors
  return words !== null && inPublic ? FAR.words : FAR.everything
}

const isTooLate = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === 'ETIMEDOUT'

/** Reads far, a few at a time; undefined for a search that took too long. */
const farReader = (database: Database<StatusesTables>) =>
  batching<StatusSearch, Skeleton | undefined>(
    async ([wanted]) => {
      const read = withStatementLimit(FAR_LIMIT, () => farOf(wanted!)[wanted!.order](database, valuesOf(wanted!)))
      const found = await read.catch((error) => {
        if (isTooLate(error)) return undefined
        throw error
      })
      return new Map([[wanted!, found]])
    },
    { max: 1, atOnce: FAR_AT_ONCE },
  )

/**
 * Finds statuses, newest first: one statement where those looked at first fill the page, or are all there are, and another where not. Its work is bounded
 * whatever the words: where the second takes too long, or too many wait for it, the answer is what the first found.
 */
export const statusFinder = (database: Database<StatusesTables>): ((wanted: StatusSearch) => Promise<Skeleton>) => {
  const readFar = farReader(database)
  let waiting = 0
  const goOn = async (wanted: StatusSearch, near: Skeleton) => {
    if (waiting >= FAR_AT_ONCE + MAX_WAITING) return near
    waiting++
    try {
      return (await readFar({ ...wanted })) ?? near
    } finally {
      waiting--
    }
  }
  return async (wanted) => {
    const near = await NEAR[wanted.authors ? 'authors' : 'everything'][wanted.order](database, valuesOf(wanted))
    const found = near.note && near.ids.length < wanted.limit ? await goOn(wanted, near) : near
    return wanted.order === 'desc' ? found : { ...found, ids: found.ids.toReversed() }
  }
}

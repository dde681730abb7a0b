import { type Bounds, type Database, hasRow, inBothOrders, type Order } from '@rookery/database'
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
export type StatusSearch = Bounds & {
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

const matches = (words: string | null) => sql`@@ websearch_to_tsquery('simple'::regconfig, ${words}::text)`

/** Statuses a search looks through at most, from the end its page begins at: common words are in very many. */
const MAX_CANDIDATES = sql.raw('20000')

/**
 * What narrows a search most. The words are found apart from the order of the page: Postgres would rather read all statuses in that order, of
 * which it does not know how many hold the words.
 */
const SOURCES = {
  authors: ({ authorNames, authorIds, below, above }: Values, order: Order) =>
    sql`select own.id from unnest(${idsOf(authorNames, authorIds)}) author (id) cross join lateral (
      select id from status_head where author_id = author.id and id < ${below} and id > ${above}
      order by id ${sql.raw(order)} limit ${MAX_CANDIDATES}) own order by own.id ${sql.raw(order)}`,
  words: ({ words, below, above }: Values, order: Order) =>
    sql`select id from (select id from status where search ${matches(words)} offset 0) found where id < ${below} and id > ${above}
      order by id ${sql.raw(order)} limit ${MAX_CANDIDATES}`,
  library: ({ viewerId }: Values) =>
    sql`select id from status_head where author_id = ${viewerId}
      union select reblog_of_id from status_head where author_id = ${viewerId} and reblog_of_id is not null
      union select status_id from favourite where account_id = ${viewerId}
      union select status_id from bookmark where account_id = ${viewerId}
      union select status_id from mention where account_id = ${viewerId}`,
  recent: ({ below, above }: Values, order: Order) =>
    sql`select id from status_head where id < ${below} and id > ${above} order by id ${sql.raw(order)} limit ${MAX_CANDIDATES}`,
}

type Source = keyof typeof SOURCES

/** All that the words of a status are taken from. */
const CONTENT = sql`concat_ws(' ', s.spoiler_text, s.text, jsonb_path_query_array(s.attachments, '$[*].description'))`

/**
 * `offset 0` keeps candidates apart and has each looked up by its id, in order, until the page is full: left to itself Postgres reads all
 * statuses, because it cannot know how few are asked for. Who may see a status is asked here too, so that a page is not emptied by what the
 * views would take out.
 */
const search = (source: Source, order: Order) =>
  skeletonStatement<Values>(`search.statuses-${source}-${order}`, {
    page: (given) => {
      const viewer = sql`${given.viewerId}`
      return sql`select h.id status_id, h.reblog_of_id from (${SOURCES[source](given, order)} offset 0) c
        cross join lateral (select id, author_id, visibility, reblog_of_id, has_media from status_head where id = c.id offset 0) h
        cross join lateral (
          select text, spoiler_text, attachments, search, language, sensitive, in_reply_to_id from status where id = c.id offset 0) s
        cross join lateral (select indexable, is_silenced, is_suspended from account where id = h.author_id offset 0) a
        where h.id < ${given.below} and h.id > ${given.above} and h.reblog_of_id is null
          and (${given.words}::text is null or s.search ${matches(given.words)})
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
            or (${given.inLibrary}::boolean and ${isInLibraryOf(given.viewerId)}))
          and not ${blocks('h.author_id', viewer)} and ${isInAudienceOf('h', viewer)}
        order by c.id ${sql.raw(order)} limit ${given.limit} offset ${given.offset}`
    },
  })

const STATEMENTS = {
  authors: inBothOrders((order) => search('authors', order)),
  words: inBothOrders((order) => search('words', order)),
  library: inBothOrders((order) => search('library', order)),
  recent: inBothOrders((order) => search('recent', order)),
}

const sourceOf = ({ authors, words, inPublic }: StatusSearch): Source => {
  if (authors) return 'authors'
  if (words !== null) return 'words'
  return inPublic ? 'recent' : 'library'
}

/** The statuses that are found, newest first: one statement. */
export const findStatuses = async (database: Database<StatusesTables>, wanted: StatusSearch): Promise<Skeleton> => {
  const { order, authors, unwantedAuthors, ...values } = wanted
  const skeleton = await STATEMENTS[sourceOf(wanted)][order](database, {
    ...values,
    authorNames: authors?.handles ?? [],
    authorIds: authors?.ids ?? [],
    unwantedNames: unwantedAuthors.handles,
    unwantedIds: unwantedAuthors.ids,
  })
  return order === 'desc' ? skeleton : { ...skeleton, ids: skeleton.ids.toReversed() }
}

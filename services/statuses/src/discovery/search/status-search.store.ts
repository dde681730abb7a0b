import { batching } from '@rookery/batching'
import { type Database, hasRow, inBothOrders, type Order, withStatementLimit } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { follows, isInAudienceOf, isKeptFrom, isNotSilencedUnless, isNotSuspended, isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonStatement } from '../../views/index.ts'
import type { Property } from './query.rules.ts'
import {
  everything,
  idsOf,
  matches,
  ofAuthors,
  type Reach,
  type Source,
  type StatusSearch,
  type Values,
} from './search-candidates.store.ts'

/**
 * The properties found by a look-up by the id of a candidate `c`. They are checked first: if few statuses have one, the rows of most are never read.
 * Embeds are cards with a player or a photo.
 */
const BY_ID = {
  media: hasRow(sql`from status_head where id = c.id and has_media`),
  poll: hasRow(sql`from poll where status_id = c.id`),
  embed: hasRow(sql`from status_card shown cross join lateral (select card from preview_card where digest = shown.digest offset 0) p
    where shown.status_id = c.id and p.card ->> 'type' <> 'link'`),
}
/** Whether one of the files of a status `s` is of a type. */
const hasFile = (type: string) => sql`s.attachments @> ${sql.lit(JSON.stringify([{ type }]))}::jsonb`

/** The other properties, which are in the rows `s` and `h` of the status. A reply to an unknown status has no parent here. */
const BY_ROW: Record<Exclude<Property, keyof typeof BY_ID>, RawBuilder<unknown>> = {
  image: hasFile('image'),
  video: hasFile('video'),
  audio: hasFile('audio'),
  link: sql`s.text ~* 'https?://'`,
  reply: sql`(s.in_reply_to_id is not null or h.is_reply_to_other)`,
  sensitive: sql`s.sensitive`,
}

/** The comparison with the requested properties comes first: Postgres looks up nothing for the others. */
const hasProperties = (expressions: Record<string, RawBuilder<unknown>>, { having, notHaving }: Values) =>
  sql.join(
    Object.entries(expressions).map(([property, has]) => {
      const name = sql.lit(property)
      return sql`(${name} <> all(${having}::text[]) or ${has}) and (${name} <> all(${notHaving}::text[]) or not ${has})`
    }),
    sql` and `,
  )

/** The searched text of a status. */
const CONTENT = sql`concat_ws(' ', s.spoiler_text, s.text, jsonb_path_query_array(s.attachments, '$[*].description'))`

/** Whether an id is within the known part: near searches leave out everything beyond their edge; others show what they found. */
const isKnown = (order: Order, reach: Reach) => {
  if (reach !== 'near') return sql`true`
  return sql`((select id from edge) is null or id ${sql.raw(order === 'desc' ? '>=' : '<=')} (select id from edge))`
}

/**
 * `offset 0` separates the candidates and has each looked up by its id, in order, until the page is full: otherwise Postgres reads all statuses,
 * because it cannot estimate how few match. The words are checked first: mostly few match. Visibility, blocks and mutes are checked here too, so that the
 * views do not empty a page. The note says whether there may be more than was examined.
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
            where ${hasProperties(BY_ID, given)}
            order by c.id ${sql.raw(order)} offset 0) s
          cross join lateral (select id, author_id, visibility, reblog_of_id, is_reply_to_other from status_head where id = s.id offset 0) h
          cross join lateral (select indexable, is_silenced, is_suspended from account where id = h.author_id offset 0) a
          where h.reblog_of_id is null
            and (${given.unwantedWords}::text is null or not s.search ${matches(given.unwantedWords)})
            and (cardinality(${given.wholeWords}::text[]) = 0 or ${CONTENT} ~* all(${given.wholeWords}::text[]))
            and (cardinality(${given.unwantedWholeWords}::text[]) = 0 or not ${CONTENT} ~* any(${given.unwantedWholeWords}::text[]))
            and (${given.onlyAuthorId}::bigint is null or h.author_id = ${given.onlyAuthorId})
            and h.author_id <> all(${idsOf(given.unwantedNames, given.unwantedIds)})
            and ${hasProperties(BY_ROW, given)}
            and (cardinality(${given.languages}::text[]) = 0 or lower(s.language) = any(${given.languages}::text[]))
            and (s.language is null or lower(s.language) <> all(${given.notLanguages}::text[]))
            and ${isNotSuspended('a')}
            and ((${given.inPublic}::boolean and ${isPublicStatus('h')} and a.indexable and ${isNotSilencedUnless('a', follows(viewer, 'h.author_id'))})
              or (${given.inLibrary}::boolean and ${isInLibrary(given)}))
            and not ${isKeptFrom(viewer, 'h.author_id', sql`${given.now}`)} and ${isInAudienceOf('h', viewer)}
          order by s.id ${sql.raw(order)} limit ${given.limit} offset ${given.offset}`
      },
      note: () => sql`(select id is not null from edge)`,
    }),
  )

const NEAR = { everything: search('newest', everything('newest'), 'near'), authors: search('authors', ofAuthors, 'near') }
const FAR = {
  wordless: search('newest', everything('newest'), 'middle'),
  library: search('newest', everything('newest'), 'far'),
  words: search('words', everything('words'), 'far'),
  authors: search('authors', ofAuthors, 'far'),
}

/** Maximum concurrent far searches and waiting ones, and the time limit of one, in milliseconds: a search never delays other pages. */
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
  if (words === null) return FAR.wordless
  return inPublic ? FAR.words : FAR.library
}

const isTooLate = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === 'ETIMEDOUT'

/** Runs far searches, a few at a time; undefined for one that exceeded its time limit. */
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
 * Finds statuses, newest first: one statement if the near search fills the page or examines everything, otherwise one more. The work is bounded for
 * any words: if the far search takes too long, or too many wait for one, the result is that of the near search.
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

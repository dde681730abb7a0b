import { type Database, sqlText } from '@rookery/database'
import { blocks, follows, isInAudienceOf, isMentioned, isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import { PROPERTIES, type Property } from './query.rules.ts'

/** How each property shows in the rows. What is embedded is what a card can show by itself: a player or a photo. */
const EXPRESSIONS: Record<Property, string> = {
  media: 'h.has_media',
  poll: 'exists (select 1 from poll where status_id = h.id)',
  embed: `exists (select 1 from status_card join preview_card p using (digest) where status_id = h.id and p.card ->> 'type' <> 'link')`,
  link: `s.text ~* 'https?://'`,
  reply: 's.in_reply_to_id is not null',
  sensitive: 's.sensitive',
}

const properties = PROPERTIES.map(
  (property) =>
    `and (${EXPRESSIONS[property]} or '${property}' <> all($13::text[])) and (not ${EXPRESSIONS[property]} or '${property}' <> all($14::text[]))`,
).join('\n')

/** What the viewer wrote or did something with (beyond-the-spec 1.16). */
const LIBRARY = sqlText`(h.author_id = $1
  or exists (select 1 from favourite where account_id = $1 and status_id = h.id)
  or exists (select 1 from bookmark where account_id = $1 and status_id = h.id)
  or ${isMentioned('h.id', '$1')}
  or exists (select 1 from status_head boost where boost.reblog_of_id = h.id and boost.author_id = $1))`

/** Who may see it, so that a page is not emptied by what the views would take out. */
const AUDIENCE = sqlText`not ${blocks('h.author_id', '$1')} and ${isInAudienceOf('h', '$1')}`

const idsOf = (names: string, ids: string) =>
  `array(select id from account where lower(username) = any(${names}::text[]) union all select unnest(${ids}::bigint[]))`

/** Statuses a search looks through at most, from the end its page begins at: common words are in very many. */
const MOST_CANDIDATES = 20_000

/** What narrows a search most. The `+ 0` keeps Postgres from reading all statuses by id, which it takes for cheaper than their words. */
const SOURCES = {
  authors: (order: Order) => `select id from status_head where author_id = any(${idsOf('$8', '$9')}) order by id ${order}`,
  words: (order: Order) =>
    `select id from status where search @@ websearch_to_tsquery('simple'::regconfig, $6::text) and id + 0 < $2 and id + 0 > $3
     order by id ${order} limit ${MOST_CANDIDATES}`,
  library: () =>
    `select id from status_head where author_id = $1
     union select reblog_of_id from status_head where author_id = $1 and reblog_of_id is not null
     union select status_id from favourite where account_id = $1
     union select status_id from bookmark where account_id = $1
     union select status_id from mention where account_id = $1`,
  recent: (order: Order) => `select id from status_head where id < $2 and id > $3 order by id ${order} limit ${MOST_CANDIDATES}`,
}

type Source = keyof typeof SOURCES
type Order = 'asc' | 'desc'

/** All that the words of a status are taken from. */
const CONTENT = sqlText`concat_ws(' ', s.spoiler_text, s.text, jsonb_path_query_array(s.attachments, '$[*].description'))`

/**
 * $1 viewer, $2 below, $3 above, $4 limit, $5 offset, $6 words, $7 unwanted words, $8 and $9 authors by name and id, $10 only this author,
 * $11 and $12 unwanted authors, $13 and $14 properties wanted and not, $15 and $16 languages wanted and not, $17 whether the viewer's
 * library counts, $18 whether public posts do, $19 and $20 regular expressions that all fit or none. `offset 0` keeps candidates apart and has
 * each looked up by its id, in order, until the page is full: left to itself Postgres reads all statuses, because it cannot know how few are
 * asked for.
 */
const search = (source: Source, order: Order) =>
  skeletonStatement(
    `search.statuses-${source}-${order}`,
    sqlText`select h.id status_id, h.reblog_of_id from (${SOURCES[source](order)} offset 0) c
     cross join lateral (select id, author_id, visibility, reblog_of_id, has_media from status_head where id = c.id offset 0) h
     cross join lateral (
       select text, spoiler_text, attachments, search, language, sensitive, in_reply_to_id from status where id = c.id offset 0) s
     join account a on a.id = h.author_id
     where h.id < $2 and h.id > $3 and h.reblog_of_id is null
       and ($6::text is null or s.search @@ websearch_to_tsquery('simple'::regconfig, $6::text))
       and ($7::text is null or not s.search @@ websearch_to_tsquery('simple'::regconfig, $7::text))
       and (cardinality($19::text[]) = 0 or ${CONTENT} ~* all($19::text[]))
       and (cardinality($20::text[]) = 0 or not ${CONTENT} ~* any($20::text[]))
       and $8::text[] is not null and $9::bigint[] is not null and ($10::bigint is null or h.author_id = $10)
       and h.author_id <> all(${idsOf('$11', '$12')})
       ${properties}
       and (cardinality($15::text[]) = 0 or lower(s.language) = any($15::text[]))
       and (s.language is null or lower(s.language) <> all($16::text[]))
       and not a.is_suspended
       and (($18::boolean and ${isPublicStatus('h')} and a.indexable and (not a.is_silenced
           or ${follows('$1', 'h.author_id')})) or ($17::boolean and ${LIBRARY}))
       and ${AUDIENCE}
     order by c.id ${order} limit $4 offset $5`,
    { withAudience: true },
  )

const inBothOrders = (source: Source) => ({ asc: search(source, 'asc'), desc: search(source, 'desc') })

const STATEMENTS = {
  authors: inBothOrders('authors'),
  words: inBothOrders('words'),
  library: inBothOrders('library'),
  recent: inBothOrders('recent'),
}

/** Some accounts, by lower-case username and by id. */
export type AccountNames = { usernames: readonly string[]; ids: readonly string[] }

/** Which statuses are looked for; words are in the language of websearch_to_tsquery. */
export type StatusSearch = {
  viewerId: string
  order: Order
  below: string
  above: string
  limit: number
  offset: number
  words: string | null
  unwantedWords: string | null
  /** Regular expressions that fit all, or none, of what is found. */
  wholeWords: readonly string[]
  unwantedWholeWords: readonly string[]
  /** Undefined for everybody's. */
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

const sourceOf = ({ authors, words, inPublic }: StatusSearch): Source => {
  if (authors) return 'authors'
  if (words !== null) return 'words'
  return inPublic ? 'recent' : 'library'
}

/** The statuses that are found, newest first: one statement. */
export const findStatuses = async (database: Database<StatusesTables>, wanted: StatusSearch): Promise<Skeleton> => {
  const { usernames, ids } = wanted.authors ?? { usernames: [], ids: [] }
  const skeleton = skeletonOf(
    await STATEMENTS[sourceOf(wanted)][wanted.order](database, [
      wanted.viewerId,
      wanted.below,
      wanted.above,
      wanted.limit,
      wanted.offset,
      wanted.words,
      wanted.unwantedWords,
      usernames,
      ids,
      wanted.onlyAuthorId,
      wanted.unwantedAuthors.usernames,
      wanted.unwantedAuthors.ids,
      wanted.having,
      wanted.notHaving,
      wanted.languages,
      wanted.notLanguages,
      wanted.inLibrary,
      wanted.inPublic,
      wanted.wholeWords,
      wanted.unwantedWholeWords,
    ]),
  )
  return wanted.order === 'desc' ? skeleton : { ...skeleton, ids: skeleton.ids.toReversed() }
}

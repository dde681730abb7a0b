import type { Database } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../views/index.ts'
import { PROPERTIES, type Property } from './query.rules.ts'

/** How each property shows in the rows. There are no link previews yet, so no status has one. */
const EXPRESSIONS: Record<Property, string> = {
  media: 'h.has_media',
  poll: 'exists (select 1 from poll where status_id = h.id)',
  embed: 'false',
  link: `s.text ~* 'https?://'`,
  reply: 's.in_reply_to_id is not null',
  sensitive: 's.sensitive',
}

const properties = PROPERTIES.map(
  (property) =>
    `and (${EXPRESSIONS[property]} or '${property}' <> all($13::text[])) and (not ${EXPRESSIONS[property]} or '${property}' <> all($14::text[]))`,
).join('\n')

/** What the viewer wrote or did something with (beyond-the-spec 1.16). */
const LIBRARY = `(h.author_id = $1
  or exists (select 1 from favourite where account_id = $1 and status_id = h.id)
  or exists (select 1 from bookmark where account_id = $1 and status_id = h.id)
  or exists (select 1 from mention where account_id = $1 and status_id = h.id)
  or exists (select 1 from status_head boost where boost.reblog_of_id = h.id and boost.author_id = $1))`

/** Who may see it, so that a page is not emptied by what the views would take out. */
const AUDIENCE = `not exists (select 1 from block where account_id = h.author_id and target_id = $1)
  and (h.visibility <= 2 or h.author_id = $1 or exists (select 1 from mention where account_id = $1 and status_id = h.id)
    or (h.visibility = 3 and exists (select 1 from follow where account_id = $1 and target_id = h.author_id)))`

const idsOf = (names: string, ids: string) =>
  `array(select id from account where lower(username) = any(${names}::text[]) union all select unnest(${ids}::bigint[]))`

type Shape = { order: 'asc' | 'desc'; hasWords: boolean; hasAuthors: boolean }

/**
 * $1 viewer, $2 below, $3 above, $4 limit, $5 offset, $6 words, $7 unwanted words, $8 and $9 authors by name and id, $10 only this author,
 * $11 and $12 unwanted authors, $13 and $14 properties wanted and not, $15 and $16 languages wanted and not, $17 whether the viewer's
 * library counts, $18 whether public posts do. Words and authors decide which index is read first, so each combination is a statement of
 * its own: the words' matches stand apart, or a page in order of ids would be looked for by reading all statuses.
 */
const search = ({ order, hasWords, hasAuthors }: Shape) =>
  skeletonStatement(
    `search.statuses-${order}${hasWords ? '-words' : ''}${hasAuthors ? '-authors' : ''}`,
    `${hasWords ? `with matching as materialized (select id from status where search @@ websearch_to_tsquery('simple'::regconfig, $6::text))` : ''}
     select h.id status_id, h.reblog_of_id
     from ${hasWords ? 'matching m join status s on s.id = m.id' : 'status s'}
     join status_head h on h.id = s.id join account a on a.id = h.author_id
     where h.id < $2 and h.id > $3 and h.reblog_of_id is null
       ${hasWords ? '' : 'and $6::text is null'}
       and ($7::text is null or not s.search @@ websearch_to_tsquery('simple'::regconfig, $7::text))
       ${hasAuthors ? `and h.author_id = any(${idsOf('$8', '$9')})` : 'and $8::text[] is not null and $9::bigint[] is not null'}
       and ($10::bigint is null or h.author_id = $10)
       and h.author_id <> all(${idsOf('$11', '$12')})
       ${properties}
       and (cardinality($15::text[]) = 0 or lower(s.language) = any($15::text[]))
       and (s.language is null or lower(s.language) <> all($16::text[]))
       and (($18::boolean and h.visibility = 1 and a.indexable) or ($17::boolean and ${LIBRARY}))
       and ${AUDIENCE}
     order by h.id ${order} limit $4 offset $5`,
    { withAudience: true },
  )

const keyOf = ({ order, hasWords, hasAuthors }: Shape) => `${order} ${hasWords} ${hasAuthors}`

const BOTH = [false, true]
const STATEMENTS = new Map(
  (['asc', 'desc'] as const).flatMap((order) =>
    BOTH.flatMap((hasWords) =>
      BOTH.map((hasAuthors) => {
        const shape = { order, hasWords, hasAuthors }
        return [keyOf(shape), search(shape)] as const
      }),
    ),
  ),
)

/** Some accounts, by lower-case username and by id. */
export type AccountNames = { usernames: readonly string[]; ids: readonly string[] }

/** Which statuses are looked for; words are in the language of websearch_to_tsquery. */
export type StatusSearch = {
  viewerId: string
  order: 'asc' | 'desc'
  below: string
  above: string
  limit: number
  offset: number
  words: string | null
  unwantedWords: string | null
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

/** The statuses that are found, newest first: one statement. */
export const findStatuses = async (database: Database<StatusesTables>, wanted: StatusSearch): Promise<Skeleton> => {
  const shape = { order: wanted.order, hasWords: wanted.words !== null, hasAuthors: wanted.authors !== undefined }
  const { usernames, ids } = wanted.authors ?? { usernames: [], ids: [] }
  const skeleton = skeletonOf(
    await STATEMENTS.get(keyOf(shape))!(database, [
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
    ]),
  )
  return wanted.order === 'desc' ? skeleton : { ...skeleton, ids: skeleton.ids.toReversed() }
}

import { QuotePolicy, QuoteState } from '@rookery/contracts/statuses'
import { arrayLiteral, type Bounds, type Database, prepared, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { follows, isMentioned, isOpenStatus, type StoredQuote, threadsMutedBy } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'

/** The narrow row behind a status: what decides whether and in which version it is shown. */
export type Head = {
  id: string
  version: number
  authorId: string
  authorVersion: number
  /** Of an author of another server. */
  authorDomain: string | undefined
  /** Silenced by the server: for followers, and for those who ask for it (beyond-the-spec 1.11). */
  isAuthorSilenced: boolean
  /** Suspended by the server: for no one. */
  isAuthorSuspended: boolean
  visibility: number
  repliesCount: number
  reblogsCount: number
  favouritesCount: number
  /** By public and unlisted statuses. */
  quotesCount: number
  quotePolicy: QuotePolicy
  reblogOfId: string | undefined
}

/** What one statement says of a page: which statuses in which order, their versions and counters, and what the viewer is to them. */
export type Skeleton<Note = unknown> = {
  ids: string[]
  heads: Map<string, Head>
  /** Undefined for anonymous readers. */
  contextVersion: number | undefined
  favourited: Set<string>
  /** Originals the viewer has boosted. */
  reblogged: Set<string>
  bookmarked: Set<string>
  pinned: Set<string>
  /** Statuses of threads the viewer muted. */
  muted: Set<string>
  /** The viewer's choices in polls, by the poll's status. */
  votes: Map<string, number[]>
  /** Authors the viewer follows; asked where that decides who sees, or may quote, a status. */
  followed: Set<string>
  /** Statuses that mention the viewer; not asked where all is public. */
  mentioned: Set<string>
  /** What the statuses of the page quote, and what those quote, by the status that quotes. The heads hold all of them. */
  quotes: Map<string, StoredQuote>
  /** The cursor of each id, where rows are paged by something else than the status. */
  cursors: Map<string, string>
  /** What else the statement reads. */
  note: Note
}

/** Whose page it is; '0' for anonymous readers. */
export type Viewer = { viewerId: string }

/** The values of most pages, and their types. */
export type PageValues = Viewer & Bounds
export const PAGE_TYPES = { viewerId: 'bigint', below: 'bigint', above: 'bigint', limit: 'int' } as const

type Row<Note> = {
  ids: string[] | null
  contextVersion: number | null
  heads: string | null
  authors: string | null
  quotes: string | null
  favourited: string[]
  reblogged: string[]
  bookmarked: string[]
  pinned: string[]
  muted: string[]
  votes: [statusId: string, choices: number[]][]
  followed: string[]
  mentioned: string[]
  cursors: string[] | null
  note: Note
}

/** What the viewer did to the statuses of the page and to what they quote; boosts stand for what they boost. */
const flagsOf = (viewer: RawBuilder<unknown>) => sql`
  array(select status_id from favourite where account_id = ${viewer} and status_id = any((select targets from t)::bigint[])) favourited,
  array(select reblog_of_id from status_head where author_id = ${viewer} and reblog_of_id = any((select targets from t)::bigint[])) reblogged,
  array(select status_id from bookmark where account_id = ${viewer} and status_id = any((select targets from t)::bigint[])) bookmarked,
  array(select status_id from pin where account_id = ${viewer} and status_id = any((select targets from t)::bigint[])) pinned,
  array(select id from h where thread_id = any(array(${threadsMutedBy(viewer, sql`array(select thread_id from h)`)}))) muted,
  coalesce((select json_agg(json_build_array(status_id::text, choices)) from poll_vote
    where account_id = ${viewer} and status_id = any((select targets from t)::bigint[])), '[]') votes`

/** Whether a follow decides who may quote a status. */
const isForFollowersToQuote = (head: string) => sql`${sql.raw(head)}.quote_policy = ${sql.lit(QuotePolicy.FOLLOWERS)}`

/** Read only where it decides: most pages hold nothing of the kind, and then this costs nothing. */
const followedBy = (viewer: RawBuilder<unknown>) => sql`
  array(select author_id from h where (not ${isOpenStatus('h')} or ${isForFollowersToQuote('h')}
      or author_id = any(array(select id from a where is_silenced)))
    and ${follows(viewer, 'h.author_id')}) followed,
  array(select id from h where not ${isOpenStatus('h')} and ${isMentioned('h.id', viewer)}) mentioned`

const HEAD_COLUMNS = sql`id, version, author_id, visibility, replies, reblogs, favourites, quotes, quote_policy, reblog_of_id, thread_id`

/** What the statuses of a named query quote. */
const quotesOf = (heads: string) =>
  sql`select status_id, state, quoted_id from quote where status_id = any(array(select id from ${sql.raw(heads)}))`

/** The statuses that quotes of a named query show. */
const quotedBy = (quotes: string) => sql`select ${HEAD_COLUMNS} from status_head
  where id = any(array(select quoted_id from ${sql.raw(quotes)} where state = ${sql.lit(QuoteState.ACCEPTED)}))`

/**
 * Heads and their authors as text, cut by `headsOf`: as JSON with names they cost Postgres 100 µs more for a page of 20 (a home: 265 µs with
 * text, 360 with JSON).
 */
const HEADS = sql`
  (select string_agg(concat_ws(',', id, version, author_id, visibility, replies, reblogs, favourites, quotes, quote_policy, reblog_of_id), ';') from h) heads,
  (select string_agg(concat_ws(',', status_id, state, quoted_id), ';') from (select * from q1 union all select * from q2) q) quotes,
  (select string_agg(concat_ws(',', id, version, case when is_suspended then 2 when is_silenced then 1 else 0 end, domain), ';') from a) authors`

const rowsOf = (text: string | null): string[][] => (text ? text.split(';').map((row) => row.split(',')) : [])

/** Heads by id, from those of statuses and of their authors. */
const headsOf = (heads: string | null, authors: string | null): Map<string, Head> => {
  const byAuthor = new Map(
    rowsOf(authors).map(([id, version, viewerFlags, domain]) => [id!, { version: Number(version), viewerFlags, domain }]),
  )
  return new Map(
    rowsOf(heads).map(([id, version, authorId, visibility, replies, reblogs, favourites, quotes, policy, reblogOfId]) => {
      const author = byAuthor.get(authorId!)!
      const head = {
        id: id!,
        version: Number(version),
        authorId: authorId!,
        authorVersion: author.version,
        authorDomain: author.domain,
        isAuthorSilenced: author.viewerFlags === '1',
        isAuthorSuspended: author.viewerFlags === '2',
        visibility: Number(visibility),
        repliesCount: Number(replies),
        reblogsCount: Number(reblogs),
        favouritesCount: Number(favourites),
        quotesCount: Number(quotes),
        quotePolicy: Number(policy) as QuotePolicy,
        reblogOfId,
      }
      return [head.id, head]
    }),
  )
}

const quotesIn = (text: string | null): Map<string, StoredQuote> =>
  new Map(rowsOf(text).map(([id, state, quotedId]) => [id!, { state: Number(state) as QuoteState, quotedId }]))

/** How a page is found. */
type SkeletonOptions<Values> = {
  /** A query that gives status_id and reblog_of_id in order. */
  page: (given: Values) => RawBuilder<unknown>
  /** Named queries that page and note are made of. */
  parts?: (given: Values) => RawBuilder<unknown>
  /** One more value that the reader of the page needs. */
  note?: (given: Values) => RawBuilder<unknown>
  /** Whether the page also gives a cursor, because its rows are not paged by status. */
  withCursors?: boolean
  /** The types of the values, for pages that many read at the same moment: they share the statement. */
  types?: Readonly<Record<keyof Values & string, string>>
}

const skeletonQuery =
  <Values extends Viewer, Note>(options: SkeletonOptions<Values>) =>
  (given: Values) => {
    const viewer = sql`${given.viewerId}::bigint`
    const { page, parts, note, withCursors = false } = options
    return sql<Row<Note>>`with ${parts ? sql`${parts(given)}, ` : sql``}p as materialized (${page(given)}),
    k as materialized (
      select array_agg(status_id) ids,
             array_agg(coalesce(reblog_of_id, status_id)) targets,
             array_agg(status_id) || coalesce(array_agg(reblog_of_id) filter (where reblog_of_id is not null), '{}') everything
      from p),
    h0 as materialized (select ${HEAD_COLUMNS} from status_head where id = any((select everything from k)::bigint[])),
    q1 as materialized (${quotesOf('h0')}),
    h1 as materialized (${quotedBy('q1')}),
    q2 as materialized (${quotesOf('h1')}),
    h as materialized (select * from h0 union all select * from h1 union all ${quotedBy('q2')}),
    t as materialized (select (select targets from k) || array(select id from h1) targets),
    a as materialized (
      select id, version, is_silenced and not is_suspended is_silenced, is_suspended, domain
      from account where id = any(array(select author_id from h)))
    select (select ids from k) ids,
      (select context_version from account where id = ${viewer}) context_version,
      ${HEADS},
      ${flagsOf(viewer)},
      ${followedBy(viewer)},
      ${withCursors ? sql`(select array_agg(cursor) from p)` : sql`null::bigint[]`} cursors,
      ${note ? note(given) : sql`null::text`} note`
  }

const skeletonOf = <Note>({ ids, contextVersion, heads, authors, quotes, votes, cursors, note, ...row }: Row<Note>): Skeleton<Note> => ({
  ids: ids ?? [],
  heads: headsOf(heads, authors),
  contextVersion: contextVersion ?? undefined,
  favourited: new Set(row.favourited),
  reblogged: new Set(row.reblogged),
  bookmarked: new Set(row.bookmarked),
  pinned: new Set(row.pinned),
  muted: new Set(row.muted),
  votes: new Map(votes),
  followed: new Set(row.followed),
  mentioned: new Set(row.mentioned),
  quotes: quotesIn(quotes),
  cursors: new Map((cursors ?? []).map((cursor, index) => [ids![index]!, cursor])),
  note,
})

/** Reads a skeleton in one statement. */
type SkeletonStatement<Values, Note> = (database: Pick<Database<StatusesTables>, 'pool'>, given: Values) => Promise<Skeleton<Note>>

/** Names the statement that reads a page: which statuses, their versions and counters, and what the viewer is to them. */
export const skeletonStatement = <Values extends Viewer, Note = null>(
  name: string,
  options: SkeletonOptions<Values>,
): SkeletonStatement<Values, Note> => {
  const query = skeletonQuery<Values, Note>(options)
  const send = options.types ? sharedQuery(name, options.types, query) : prepared(name, query)
  return async (database, given) => skeletonOf<Note>((await send(database, given))[0]!)
}

const byIds = skeletonStatement<Viewer & { ids: string }>('skeleton.by-ids', {
  page: ({ ids }) => sql`select h.id status_id, h.reblog_of_id from unnest(${ids}::bigint[]) with ordinality wanted(id, place)
    join status_head h on h.id = wanted.id order by wanted.place`,
  types: { viewerId: 'bigint', ids: 'text' },
})

/** Statuses by id, in the order given. Boosts of them are read with them. */
export const skeletonByIds = (
  database: Pick<Database<StatusesTables>, 'pool'>,
  given: Viewer & { ids: readonly string[] },
): Promise<Skeleton> => byIds(database, { viewerId: given.viewerId, ids: arrayLiteral(given.ids) })

import { type Statement, sharedStatement, sqlText, statement } from '@rookery/database'
import { follows, isMentioned, isOpenStatus, threadsMutedBy } from '../audience/index.ts'

/** The narrow row behind a status: what decides whether and in which version it is shown. */
export type Head = {
  id: string
  version: number
  authorId: string
  authorVersion: number
  /** Silenced by the server: for followers, and for whoever asks for it (beyond-the-spec 1.11). */
  isAuthorSilenced: boolean
  /** Suspended by the server: for nobody. */
  isAuthorSuspended: boolean
  visibility: number
  repliesCount: number
  reblogsCount: number
  favouritesCount: number
  reblogOfId: string | undefined
}

/** What one statement says of a page: which statuses in which order, their versions and counters, and what the viewer is to them. */
export type Skeleton = {
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
  /** Authors the viewer follows; not asked where all is public. */
  followed: Set<string>
  /** Statuses that mention the viewer; not asked where all is public. */
  mentioned: Set<string>
  /** The cursor of each id, where rows are paged by something else than the status. */
  cursors: Map<string, string>
  /** What else the statement was to say, as it says it. */
  note: string | undefined
}

type Row = [
  ids: string | null,
  contextVersion: number | null,
  heads: string | null,
  authors: string | null,
  favourited: string,
  reblogged: string,
  bookmarked: string,
  pinned: string,
  muted: string,
  votes: string | null,
  followed: string | null,
  mentioned: string | null,
  cursors: string | null,
  note: string | null,
]

/** Reads a skeleton. The viewer is the first value; '0' stands for anonymous. */
export type SkeletonStatement = Statement<Row>

const TAIL = sqlText`
k as materialized (
  select array_agg(status_id) ids,
         array_agg(coalesce(reblog_of_id, status_id)) targets,
         array_agg(status_id) || coalesce(array_agg(reblog_of_id) filter (where reblog_of_id is not null), '{}') everything
  from p),
h as materialized (
  select id, version, author_id, visibility, replies, reblogs, favourites, reblog_of_id, thread_id from status_head
  where id = any((select everything from k)::bigint[])),
a as materialized (
  select id, version, case when is_suspended then 2 when is_silenced then 1 else 0 end standing
  from account where id = any(array(select author_id from h)))
select (select ids from k)::text,
  (select context_version from account where id = $1),
  (select string_agg(concat_ws(',', id, version, author_id, visibility, replies, reblogs, favourites, reblog_of_id), ';') from h),
  (select string_agg(concat_ws(',', id, version, standing), ';') from a),
  array(select status_id from favourite where account_id = $1 and status_id = any((select targets from k)::bigint[]))::text,
  array(select reblog_of_id from status_head where author_id = $1 and reblog_of_id = any((select targets from k)::bigint[]))::text,
  array(select status_id from bookmark where account_id = $1 and status_id = any((select targets from k)::bigint[]))::text,
  array(select status_id from pin where account_id = $1 and status_id = any((select targets from k)::bigint[]))::text,
  array(select id from h where thread_id = any(array(${threadsMutedBy('$1')})))::text,
  (select string_agg(status_id || ':' || array_to_string(choices, '.'), ',')
    from poll_vote where account_id = $1 and status_id = any((select targets from k)::bigint[]))`

/** Of the parameters of most pages: viewer, below, above, limit. */
export const PAGE_TYPES = ['bigint', 'bigint', 'bigint', 'int'] as const

/** Asked only of statuses that are not for everybody, or of silenced authors: most pages hold none, and then this costs nothing. */
const AUDIENCE = sqlText`
  array(select author_id from h where (not ${isOpenStatus('h')} or author_id = any(array(select id from a where standing = 1)))
    and ${follows('$1', 'h.author_id')})::text,
  array(select id from h where not ${isOpenStatus('h')} and ${isMentioned('h.id', '$1')})::text`

/**
 * Names a skeleton whose page comes from `page`: a query that gives status_id and reblog_of_id in order and takes the viewer as $1.
 * `withAudience` also asks what is needed to judge private and direct statuses; public pages hold none. `withCursors` says that the page
 * also gives a cursor, because its rows are not paged by status. `note` is one more value the page's reader needs, as text; `parts` are
 * named queries that page and note are made of. `types` are those of the parameters, where many read at the same moment: they then share
 * the statement.
 */
export const skeletonStatement = (
  name: string,
  page: string,
  {
    withAudience,
    withCursors = false,
    note = 'null',
    parts = '',
    types,
  }: { withAudience: boolean; withCursors?: boolean; note?: string; parts?: string; types?: readonly string[] },
): SkeletonStatement => {
  const audience = withAudience ? AUDIENCE : 'null, null'
  const cursors = withCursors ? '(select array_agg(cursor) from p)::text' : 'null'
  const text = `with ${parts && `${parts}, `}p as materialized (${page}),${TAIL}, ${audience}, ${cursors}, ${note}`
  return types ? sharedStatement<Row>(name, text, types) : statement<Row>(name, text)
}

const listOf = (array: string | null | undefined): string[] => (array && array.length > 2 ? array.slice(1, -1).split(',') : [])

const rowsOf = (text: string | null): string[][] => (text ? text.split(';').map((row) => row.split(',')) : [])

/** Heads by id, from those of statuses and of their authors. */
const headsOf = (heads: string | null, authors: string | null): Map<string, Head> => {
  const byAuthor = new Map(rowsOf(authors).map(([id, version, standing]) => [id!, { version: Number(version), standing }]))
  return new Map(
    rowsOf(heads).map(([id, version, authorId, visibility, replies, reblogs, favourites, reblogOfId]) => {
      const author = byAuthor.get(authorId!)!
      const head = {
        id: id!,
        version: Number(version),
        authorId: authorId!,
        authorVersion: author.version,
        isAuthorSilenced: author.standing === '1',
        isAuthorSuspended: author.standing === '2',
        visibility: Number(visibility),
        repliesCount: Number(replies),
        reblogsCount: Number(reblogs),
        favouritesCount: Number(favourites),
        reblogOfId,
      }
      return [head.id, head]
    }),
  )
}

const votesOf = (text: string): [string, number[]] => {
  const [statusId, choices = ''] = text.split(':')
  return [statusId!, choices.split('.').map(Number)]
}

/** The one row of a skeleton statement as a Skeleton. */
export const skeletonOf = ([row]: Row[]): Skeleton => {
  const [
    idArray,
    contextVersion,
    heads,
    authors,
    favourited,
    reblogged,
    bookmarked,
    pinned,
    muted,
    votes,
    followed,
    mentioned,
    cursors,
    note,
  ] = row!
  const ids = listOf(idArray)
  return {
    ids,
    heads: headsOf(heads, authors),
    contextVersion: contextVersion ?? undefined,
    favourited: new Set(listOf(favourited)),
    reblogged: new Set(listOf(reblogged)),
    bookmarked: new Set(listOf(bookmarked)),
    pinned: new Set(listOf(pinned)),
    muted: new Set(listOf(muted)),
    votes: new Map((votes ? votes.split(',') : []).map(votesOf)),
    followed: new Set(listOf(followed)),
    mentioned: new Set(listOf(mentioned)),
    cursors: new Map(listOf(cursors).map((cursor, index) => [ids[index]!, cursor])),
    note: note ?? undefined,
  }
}

/** Statuses by id, in the order given: $2 is the list. Boosts of them are read with them. */
export const skeletonByIds = skeletonStatement(
  'skeleton.by-ids',
  `select h.id status_id, h.reblog_of_id from unnest($2::bigint[]) with ordinality wanted(id, place)
   join status_head h on h.id = wanted.id order by wanted.place`,
  { withAudience: true },
)

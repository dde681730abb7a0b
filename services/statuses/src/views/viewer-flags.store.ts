import { QuotePolicy } from '@rookery/contracts/statuses'
import { arrayLiteral, type Database, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { follows, isMentioned, isOpen, isOpenStatus, threadsMutedBy } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import type { Head } from './head.store.ts'

type Part = RawBuilder<unknown>

/** A viewer's flags for the statuses of a page, and relationships to their authors. */
export type ViewerFlags = {
  /** Undefined for anonymous readers. */
  contextVersion: number | undefined
  favourited: Set<string>
  /** Originals the viewer has boosted. */
  reblogged: Set<string>
  bookmarked: Set<string>
  pinned: Set<string>
  /** Threads of the page that the viewer muted. */
  mutedThreads: Set<string>
  /** The viewer's choices in polls, by the poll's status. */
  votes: Map<string, number[]>
  /** Authors the viewer follows; read only if that decides who may see or quote a status. */
  followed: Set<string>
  /** Statuses that mention the viewer; not read if all statuses are public or unlisted. */
  mentioned: Set<string>
}

/** The flags as a row. */
export type FlagsRow = {
  contextVersion: number | null
  favourited: string[]
  reblogged: string[]
  bookmarked: string[]
  pinned: string[]
  mutedThreads: string[]
  votes: [statusId: string, choices: number[]][]
  followed: string[]
  mentioned: string[]
}

/** The ids of a page whose flags are read, as arrays; a boosted status stands for its boosts. */
type Asked = {
  targets: Part
  threads: Part
  /** Authors for whom a follow decides something. Most pages have none, and then this costs nothing. */
  authors: Part
  /** Statuses that not everyone may see. */
  closed: Part
}

/** The columns of a row of flags. */
export const flagColumns = (viewer: Part, { targets, threads, authors, closed }: Asked): Part => sql`
  (select context_version from account where id = ${viewer}) context_version,
  array(select status_id from favourite where account_id = ${viewer} and status_id = any(${targets})) favourited,
  array(select reblog_of_id from status_head where author_id = ${viewer} and reblog_of_id = any(${targets})) reblogged,
  array(select status_id from bookmark where account_id = ${viewer} and status_id = any(${targets})) bookmarked,
  array(select status_id from pin where account_id = ${viewer} and status_id = any(${targets})) pinned,
  array(${threadsMutedBy(viewer, threads)}) muted_threads,
  coalesce((select json_agg(json_build_array(status_id::text, choices)) from poll_vote
    where account_id = ${viewer} and status_id = any(${targets})), '[]') votes,
  array(select author.key from unnest(${authors}) author (key) where ${follows(viewer, 'author.key')}) followed,
  array(select closed.key from unnest(${closed}) closed (key) where ${isMentioned('closed.key', viewer)}) mentioned`

/** The arrays of Asked, from named queries of heads (h), their authors (a) and targets (t). */
export const ASKED_OF_HEADS: Asked = {
  targets: sql`(select targets from t)::bigint[]`,
  threads: sql`array(select thread_id from h)`,
  authors: sql`array(select author_id from h where not ${isOpenStatus('h')} or quote_policy = ${sql.lit(QuotePolicy.FOLLOWERS)}
    or author_id = any(array(select id from a where is_silenced)))`,
  closed: sql`array(select id from h where not ${isOpenStatus('h')})`,
}

/** Decodes a row of flags. */
export const flagsOf = (row: FlagsRow): ViewerFlags => ({
  contextVersion: row.contextVersion ?? undefined,
  favourited: new Set(row.favourited),
  reblogged: new Set(row.reblogged),
  bookmarked: new Set(row.bookmarked),
  pinned: new Set(row.pinned),
  mutedThreads: new Set(row.mutedThreads),
  votes: new Map(row.votes),
  followed: new Set(row.followed),
  mentioned: new Set(row.mentioned),
})

/** The flags of anonymous readers. */
export const NO_FLAGS: ViewerFlags = flagsOf({
  contextVersion: null,
  favourited: [],
  reblogged: [],
  bookmarked: [],
  pinned: [],
  mutedThreads: [],
  votes: [],
  followed: [],
  mentioned: [],
})

/** Whether the viewer did not interact with any of the statuses. */
export const isWithoutFlags = ({ favourited, reblogged, bookmarked, pinned, mutedThreads, votes }: ViewerFlags): boolean =>
  [favourited, reblogged, bookmarked, pinned, mutedThreads, votes].every(({ size }) => size === 0)

/** The arrays of Asked as text. */
export type AskedIds = Readonly<Record<keyof Asked, string>>

/** Whether both have the same ids. */
export const isSameAsked = (one: AskedIds, other: AskedIds): boolean =>
  one === other ||
  (one.targets === other.targets && one.threads === other.threads && one.authors === other.authors && one.closed === other.closed)

const isDeciding = (head: Head) => !isOpen(head.visibility) || head.quotePolicy === QuotePolicy.FOLLOWERS || head.isAuthorSilenced

/** `ASKED_OF_HEADS` from heads in memory. */
export const askedOf = (heads: Iterable<Head>): AskedIds => {
  const all = [...heads]
  return {
    targets: arrayLiteral(all.filter(({ reblogOfId }) => reblogOfId === undefined).map(({ id }) => id)),
    threads: arrayLiteral(all.map(({ threadId }) => threadId)),
    authors: arrayLiteral(all.filter(isDeciding).map(({ authorId }) => authorId)),
    closed: arrayLiteral(all.filter(({ visibility }) => !isOpen(visibility)).map(({ id }) => id)),
  }
}

const send = sharedQuery<AskedIds & { viewerId: string }, FlagsRow>(
  'skeleton.viewer-flags',
  { viewerId: 'bigint', targets: 'text', threads: 'text', authors: 'text', closed: 'text' },
  ({ viewerId, targets, threads, authors, closed }) => sql<FlagsRow>`
    select ${flagColumns(sql`${viewerId}::bigint`, {
      targets: sql`asked_of.targets`,
      threads: sql`asked_of.threads`,
      authors: sql`asked_of.authors`,
      closed: sql`asked_of.closed`,
    })}
    from (select ${targets}::bigint[] targets, ${threads}::bigint[] threads, ${authors}::bigint[] authors, ${closed}::bigint[] closed offset 0) asked_of`,
)

/** Reads the flags of a viewer for the statuses of a page: one statement, shared by concurrent viewers of any pages. */
export const readViewerFlags = async (
  database: Pick<Database<StatusesTables>, 'pool'>,
  viewerId: string,
  asked: AskedIds,
): Promise<ViewerFlags> => flagsOf((await send(database, { viewerId, ...asked }))[0]!)

import { isDeepStrictEqual } from 'node:util'
import { latest, onceEach } from '@rookery/cache'
import { arrayLiteral, type Bounds, type Database, prepared, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isNotSuspended, type StoredQuote } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import { HEAD_COLUMNS, HEADS, type Head, headsOf, quotedBy, quotesIn, quotesOf } from './head.store.ts'
import { type SharedPages, sharedPages } from './shared-pages.ts'
import {
  ASKED_OF_HEADS,
  type AskedIds,
  askedOf,
  type FlagsRow,
  flagColumns,
  flagsOf,
  isSameAsked,
  NO_FLAGS,
  readViewerFlags,
  type ViewerFlags,
} from './viewer-flags.store.ts'

/** A page as it is for everyone who reads it: which statuses in which order, their versions and counters. */
type PageSkeleton<Note = unknown> = {
  ids: string[]
  heads: Map<string, Head>
  /** What the statuses of the page quote, and what those quote, by the status that quotes. The heads hold all of them. */
  quotes: Map<string, StoredQuote>
  /** The cursor of each id, where rows are paged by something else than the status. */
  cursors: Map<string, string>
  /** The id as far as which a bounded read has looked, where it did not fill the page and there may be more. */
  readTo?: string
  /** What else the statement reads. */
  note: Note
  /** Of a page that many read: what was made of it for those who are shown the same. */
  shared?: SharedPages
}

/** A page and the viewer's flags. */
export type Skeleton<Note = unknown> = PageSkeleton<Note> & ViewerFlags

/** Whose page it is; '0' for anonymous readers. */
export type Viewer = { viewerId: string }

/** The values of most pages, and their types. */
export type PageValues = Viewer & Bounds
export const PAGE_TYPES = { viewerId: 'bigint', below: 'bigint', above: 'bigint', limit: 'int' } as const

type PageRow<Note> = {
  ids: string[] | null
  heads: string | null
  quotes: string | null
  cursors: string[] | null
  note: Note
}

/** How a page is found. */
type SkeletonOptions<Values> = {
  /** A query that gives status_id and reblog_of_id in order. */
  page: (given: Values) => RawBuilder<unknown>
  /** Named queries that page and note are made of. */
  parts?: (given: Values) => RawBuilder<unknown>
  /** One more value for the reader of the page. */
  note?: (given: Values) => RawBuilder<unknown>
  /** Whether the page also gives a cursor, because its rows are not paged by status. */
  withCursors?: boolean
  /** The types of the values, for pages that many read at the same moment: they share the statement. */
  types?: Readonly<Record<keyof Values & string, string>>
  /** Of a shared statement: whether finding a page takes Postgres long. */
  isLong?: boolean
}

/** A statement that gives a page, and more columns about it. */
const pageQuery = <Values, Row>(
  given: Values,
  { page, parts, note, withCursors = false }: SkeletonOptions<Values>,
  more: RawBuilder<unknown>,
) =>
  sql<Row>`with ${parts ? sql`${parts(given)}, ` : sql``}p as materialized (${page(given)}),
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
      select id, version, is_silenced and ${isNotSuspended()} is_silenced, is_suspended, domain
      from account where id = any(array(select author_id from h)))
    select (select ids from k) ids,
      ${HEADS},
      ${withCursors ? sql`(select array_agg(cursor) from p)` : sql`null::bigint[]`} cursors,
      ${note ? note(given) : sql`null::text`} note${more}`

const pageOf = <Note>({ ids, heads, quotes, cursors, note }: PageRow<Note>): PageSkeleton<Note> => ({
  ids: ids ?? [],
  heads: headsOf(heads),
  quotes: quotesIn(quotes),
  cursors: new Map((cursors ?? []).map((cursor, index) => [ids![index]!, cursor])),
  note,
})

/** Reads a skeleton. */
type SkeletonStatement<Values, Note> = (database: Pick<Database<StatusesTables>, 'pool'>, given: Values) => Promise<Skeleton<Note>>

/** Names the statement that reads a page: which statuses, their versions and counters, and the viewer's flags. */
export const skeletonStatement = <Values extends Viewer, Note = null>(
  name: string,
  options: SkeletonOptions<Values>,
): SkeletonStatement<Values, Note> => {
  const query = (given: Values) =>
    pageQuery<Values, PageRow<Note> & FlagsRow>(given, options, sql`, ${flagColumns(sql`${given.viewerId}::bigint`, ASKED_OF_HEADS)}`)
  const { types, isLong = false } = options
  const send = types ? sharedQuery(name, types, query, { makesPages: true, isLong }) : prepared(name, query)
  return async (database, given) => {
    const row = (await send(database, given))[0]!
    return { ...pageOf<Note>(row), ...flagsOf(row) }
  }
}

/** Pages of a statement of which it is kept what they said when they were read last, and what was made of that; and how long these are at most. */
const MAX_KNOWN = 20
const MAX_KNOWN_LENGTH = 500

/** What a page said when it was read last. */
type Known<Note> = { row: PageRow<Note>; page: PageSkeleton<Note> & { shared: SharedPages }; asked: AskedIds }
type KnownPages<Note> = ReturnType<typeof latest<Known<Note>>>

const saidBy = ({ ids, heads, quotes, cursors, note }: PageRow<unknown>) => [heads, quotes, ids, cursors, note]

/** A row taken apart: mostly a page says what it said before, and is known. */
const knownAs = <Note>(row: PageRow<Note>, last: Known<Note> | undefined): Known<Note> => {
  if (last && isDeepStrictEqual(saidBy(last.row), saidBy(row))) return { ...last, page: { ...last.page, shared: last.page.shared.ofNow() } }
  const page = pageOf<Note>(row)
  return { row, page: { ...page, shared: sharedPages() }, asked: askedOf(page.heads.values()) }
}

/**
 * Names the statement that reads a page which is the same for everyone. Concurrent readers share its row, which is decoded once for all of
 * them, and for later readers until it changes. The flags of a viewer are a second statement, none for anonymous readers. Where the page
 * was read before both are sent at once, since it mostly shows the same again.
 */
export const commonSkeletonStatement = <Values extends Viewer, Note = null>(
  name: string,
  options: SkeletonOptions<Omit<Values, 'viewerId'>> & { types: Readonly<Record<Exclude<keyof Values, 'viewerId'> & string, string>> },
): SkeletonStatement<Values, Note> => {
  type Common = Omit<Values, 'viewerId'>
  const send = sharedQuery(name, options.types, (given: Common) => pageQuery<Common, PageRow<Note>>(given, options, sql``))
  const pools = new WeakMap<object, KnownPages<Note>>()
  const take = onceEach((row: PageRow<Note>, pages: KnownPages<Note>, key: string) => {
    const known = knownAs(row, pages.get(key))
    if (known.page.ids.length <= MAX_KNOWN_LENGTH) pages.set(key, known)
    return known
  })
  return async (database, { viewerId, ...given }) => {
    const pages = pools.get(database.pool) ?? latest<Known<Note>>(MAX_KNOWN)
    pools.set(database.pool, pages)
    const key = JSON.stringify(given)
    const readCommon = async () => take((await send(database, given))[0]!, pages, key)
    if (viewerId === '0') return { ...(await readCommon()).page, ...NO_FLAGS }
    const guess = pages.get(key)?.asked
    const [{ page, asked }, guessed] = await Promise.all([readCommon(), guess && readViewerFlags(database, viewerId, guess)])
    const isRight = guess && isSameAsked(guess, asked)
    return { ...page, ...(isRight ? guessed! : await readViewerFlags(database, viewerId, asked)) }
  }
}

const byIds = skeletonStatement<Viewer & { ids: string }>('skeleton.by-ids', {
  page: ({ ids }) => sql`select id status_id, reblog_of_id from status_head where id = any(${ids}::bigint[])`,
  types: { viewerId: 'bigint', ids: 'text' },
})

/** Statuses by id, in the order given. Boosts of them are read with them. */
export const skeletonByIds = async (
  database: Pick<Database<StatusesTables>, 'pool'>,
  { viewerId, ids }: Viewer & { ids: readonly string[] },
): Promise<Skeleton> => {
  const skeleton = await byIds(database, { viewerId, ids: arrayLiteral(ids) })
  // Found in the order of the index: each by itself would be looked up in it.
  return { ...skeleton, ids: ids.filter((id) => skeleton.heads.has(id)) }
}

import { arrayLiteral, type Bounds, type Database, prepared, sharedQuery } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isNotSuspended, type StoredQuote } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import { HEAD_COLUMNS, HEADS, type Head, headsOf, quotedBy, quotesIn, quotesOf } from './head.store.ts'
import { knownPages } from './known-pages.ts'
import { type SharedPages, sharedPages } from './shared-pages.ts'
import {
  ASKED_OF_HEADS,
  askedOf,
  type FlagsRow,
  flagColumns,
  flagsOf,
  isSameAsked,
  NO_FLAGS,
  readViewerFlags,
  type ViewerFlags,
} from './viewer-flags.store.ts'

/** The part of a page that is the same for every reader: its statuses in order, their versions and counters. */
type PageSkeleton<Note = unknown> = {
  ids: string[]
  heads: Map<string, Head>
  /** The quotes of the statuses on the page, and of the quoted statuses, by the quoting status. `heads` includes all of them. */
  quotes: Map<string, StoredQuote>
  /** The cursor of each id, if rows are not paged by status. */
  cursors: Map<string, string>
  /** The id at which a bounded read stopped, if it did not fill the page and there may be more. */
  readTo?: string
  /** An additional value that the statement reads. */
  note: Note
  /** For a page with many readers: the presented pages they share. */
  shared?: SharedPages
  /** For a page of one viewer that is remembered: its key. The heads of the same page are the same object while page and flags are unchanged. */
  key?: string
}

/** A page and the viewer's flags. */
export type Skeleton<Note = unknown> = PageSkeleton<Note> & ViewerFlags

/** The reader of the page; '0' for anonymous readers. */
export type Viewer = { viewerId: string }

/** The parameters of most pages, and their types. */
export type PageValues = Viewer & Bounds
export const PAGE_TYPES = { viewerId: 'bigint', below: 'bigint', above: 'bigint', limit: 'int' } as const

/** The key of a remembered page of a viewer. */
export const pageKey = ({ viewerId, below, above, limit }: PageValues): string => `${viewerId} ${below} ${above} ${limit}`

type PageRow<Note> = {
  ids: string[] | null
  heads: string | null
  quotes: string | null
  cursors: string[] | null
  note: Note
}

/** The options of a statement that reads a skeleton. */
type SkeletonOptions<Values> = {
  /** A query with the columns status_id and reblog_of_id, in order. */
  page: (given: Values) => RawBuilder<unknown>
  /** Named queries (CTEs) that page and note refer to. */
  parts?: (given: Values) => RawBuilder<unknown>
  /** An additional value. */
  note?: (given: Values) => RawBuilder<unknown>
  /** Whether the page also has a cursor column, because its rows are not paged by status. */
  withCursors?: boolean
  /** The types of the parameters, for pages with many concurrent readers: they share the statement. */
  types?: Readonly<Record<keyof Values & string, string>>
  /** For a shared statement: whether it takes Postgres long. */
  isLong?: boolean
  /** For pages that their viewers read repeatedly, and that are remembered: the key of a page. The same key may have different rows. */
  keyOf?: (given: Values) => string
}

/** A statement that reads a page, and additional columns. */
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

/** The columns of a page that is remembered. */
const PAGE_COLUMNS = ['heads', 'quotes', 'ids', 'cursors', 'note'] as const
const FLAGS_COLUMNS = Object.keys(NO_FLAGS) as (keyof FlagsRow)[]

/** How many pages a statement remembers that differ by viewer. */
const MAX_OWN = 500

/**
 * Prepares the statement that reads a page: its statuses, their versions and counters, and the viewer's flags. An unchanged page is not decoded or
 * presented again, if it is one that viewers read repeatedly.
 */
export const skeletonStatement = <Values extends Viewer, Note = null>(
  name: string,
  options: SkeletonOptions<Values>,
): SkeletonStatement<Values, Note> => {
  const query = (given: Values) =>
    pageQuery<Values, PageRow<Note> & FlagsRow>(given, options, sql`, ${flagColumns(sql`${given.viewerId}::bigint`, ASKED_OF_HEADS)}`)
  const { types, isLong = false, keyOf } = options
  const decode = (row: PageRow<Note> & FlagsRow): Skeleton<Note> => ({ ...pageOf<Note>(row), ...flagsOf(row) })
  const known = knownPages({
    columns: [...PAGE_COLUMNS, ...FLAGS_COLUMNS],
    decode,
    max: MAX_OWN,
  })
  const send = types ? sharedQuery(name, types, query, { makesPages: true, isLong }) : prepared(name, query)
  return async (database, given) => {
    const row = (await send(database, given))[0]!
    if (!keyOf) return decode(row)
    const key = `${name} ${keyOf(given)}`
    return { ...known(database).take(key, row), key }
  }
}

/** How many pages a statement remembers that is the same for everyone. */
const MAX_COMMON = 20

/**
 * Prepares the statement of a page that is the same for everyone. Concurrent readers share its row, which is decoded once for all of them, and for
 * later readers until it changes. The flags of a viewer are a second statement, none for anonymous readers. If the page is cached, both are sent at
 * once, guessing that it is unchanged.
 */
export const commonSkeletonStatement = <Values extends Viewer, Note = null>(
  name: string,
  options: SkeletonOptions<Omit<Values, 'viewerId'>> & { types: Readonly<Record<Exclude<keyof Values, 'viewerId'> & string, string>> },
): SkeletonStatement<Values, Note> => {
  type Common = Omit<Values, 'viewerId'>
  const send = sharedQuery(name, options.types, (given: Common) => pageQuery<Common, PageRow<Note>>(given, options, sql``))
  const known = knownPages({
    columns: PAGE_COLUMNS,
    decode: (row: PageRow<Note>) => {
      const page = pageOf<Note>(row)
      return { ...page, asked: askedOf(page.heads.values()), shared: sharedPages() }
    },
    again: (page) => ({ ...page, shared: page.shared.ofNow() }),
    max: MAX_COMMON,
  })
  return async (database, { viewerId, ...given }) => {
    const pages = known(database)
    const key = JSON.stringify(given)
    const readCommon = async () => pages.take(key, (await send(database, given))[0]!)
    if (viewerId === '0') return { ...(await readCommon()), ...NO_FLAGS }
    const guess = pages.last(key)?.asked
    const [{ asked, ...page }, guessed] = await Promise.all([readCommon(), guess && readViewerFlags(database, viewerId, guess)])
    const isRight = guess && isSameAsked(guess, asked)
    return { ...page, ...(isRight ? guessed! : await readViewerFlags(database, viewerId, asked)) }
  }
}

const byIds = skeletonStatement<Viewer & { ids: string }>('skeleton.by-ids', {
  page: ({ ids }) => sql`select id status_id, reblog_of_id from status_head where id = any(${ids}::bigint[])`,
  types: { viewerId: 'bigint', ids: 'text' },
})

/** Statuses by id, in the order given, with the statuses they boost. */
export const skeletonByIds = async (
  database: Pick<Database<StatusesTables>, 'pool'>,
  { viewerId, ids }: Viewer & { ids: readonly string[] },
): Promise<Skeleton> => {
  const skeleton = await byIds(database, { viewerId, ids: arrayLiteral(ids) })
  // The statement returns them in index order: sorting by position there would look each up separately.
  return { ...skeleton, ids: ids.filter((id) => skeleton.heads.has(id)) }
}

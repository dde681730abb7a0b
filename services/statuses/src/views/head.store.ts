import { type QuotePolicy, QuoteState } from '@rookery/contracts/statuses'
import { sql } from 'kysely'
import type { StoredQuote } from '../audience/index.ts'

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
  /** The first status of its thread. */
  threadId: string
  reblogOfId: string | undefined
}

/** What statements read of a head. Of a status of another server the counts are what is known here and what its server knows of besides. */
export const HEAD_COLUMNS = sql`id, version, author_id, visibility, replies, reblogs + coalesce(reblogs_elsewhere, 0) reblogs,
  favourites + coalesce(favourites_elsewhere, 0) favourites, quotes, quote_policy, reblog_of_id, thread_id`

/** What the statuses of a named query quote. */
export const quotesOf = (heads: string) =>
  sql`select status_id, state, quoted_id from quote where status_id = any(array(select id from ${sql.raw(heads)}))`

/** The statuses that quotes of a named query show. */
export const quotedBy = (quotes: string) => sql`select ${HEAD_COLUMNS} from status_head
  where id = any(array(select quoted_id from ${sql.raw(quotes)} where state = ${sql.lit(QuoteState.ACCEPTED)}))`

/**
 * Heads with what counts of their authors, as text: as JSON with names they cost Postgres 100 µs more for a page of 20 (a home: 265 µs with text, 360
 * with JSON).
 */
export const HEADS = sql`
  (select string_agg(concat_ws(',', h.id, h.version, author_id, visibility, replies, reblogs, favourites, quotes, quote_policy,
      coalesce(thread_id, h.id), coalesce(reblog_of_id, 0), a.version, case when is_suspended then 2 when is_silenced then 1 else 0 end, domain), ';')
    from h join a on a.id = author_id) heads,
  (select string_agg(concat_ws(',', status_id, state, quoted_id), ';') from (select * from q1 union all select * from q2) q) quotes`

const rowsOf = (text: string | null): string[][] => (text ? text.split(';').map((row) => row.split(',')) : [])

const headOf = ([id, version, authorId, visibility, replies, reblogs, favourites, quotes, policy, ...rest]: string[]): Head => {
  const [threadId, reblogOfId, authorVersion, limits, authorDomain] = rest
  return {
    id: id!,
    version: Number(version),
    authorId: authorId!,
    authorVersion: Number(authorVersion),
    authorDomain,
    isAuthorSilenced: limits === '1',
    isAuthorSuspended: limits === '2',
    visibility: Number(visibility),
    repliesCount: Number(replies),
    reblogsCount: Number(reblogs),
    favouritesCount: Number(favourites),
    quotesCount: Number(quotes),
    quotePolicy: Number(policy) as QuotePolicy,
    // One string: a key that is a new one is looked up among all strings of the process first.
    threadId: threadId === id ? id! : threadId!,
    reblogOfId: reblogOfId === '0' ? undefined : reblogOfId,
  }
}

/** Heads by id, from what `HEADS` says of them. */
export const headsOf = (heads: string | null): Map<string, Head> =>
  new Map(
    rowsOf(heads)
      .map(headOf)
      .map((head) => [head.id, head]),
  )

/** What statuses quote, by the status that quotes. */
export const quotesIn = (text: string | null): Map<string, StoredQuote> =>
  new Map(rowsOf(text).map(([id, state, quotedId]) => [id!, { state: Number(state) as QuoteState, quotedId }]))

import { type QuotePolicy, QuoteState } from '@rookery/contracts/statuses'
import { sql } from 'kysely'
import type { StoredQuote } from '../audience/index.ts'

/** The narrow row of a status: the columns that decide whether and in which version it is shown. */
export type Head = {
  id: string
  version: number
  authorId: string
  authorVersion: number
  /** Set for remote authors. */
  authorDomain: string | undefined
  /** Silenced by the server: shown only to followers, and when requested by id (beyond-the-spec 1.11). */
  isAuthorSilenced: boolean
  /** Suspended by the server: hidden from everyone. */
  isAuthorSuspended: boolean
  visibility: number
  repliesCount: number
  reblogsCount: number
  favouritesCount: number
  /** Counts only public and unlisted statuses. */
  quotesCount: number
  quotePolicy: QuotePolicy
  /** The first status of its thread. */
  threadId: string
  reblogOfId: string | undefined
}

/** The columns of a head. For a remote status the counts are ours plus the additional ones of its own server. */
export const HEAD_COLUMNS = sql`id, version, author_id, visibility, replies, reblogs + coalesce(reblogs_elsewhere, 0) reblogs,
  favourites + coalesce(favourites_elsewhere, 0) favourites, quotes, quote_policy, reblog_of_id, thread_id`

/** The quotes of the statuses of a named query. */
export const quotesOf = (heads: string) =>
  sql`select status_id, state, quoted_id from quote where status_id = any(array(select id from ${sql.raw(heads)}))`

/** The quoted statuses that quotes of a named query show. */
export const quotedBy = (quotes: string) => sql`select ${HEAD_COLUMNS} from status_head
  where id = any(array(select quoted_id from ${sql.raw(quotes)} where state = ${sql.lit(QuoteState.ACCEPTED)}))`

/**
 * Heads with the columns needed of their authors, as text: as JSON with names they would cost Postgres 100 µs more for a page of 20 (a home: 265 µs
 * with text, 360 with JSON).
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
    // Reuse the same string object: a map looks up a string that is a new object among all strings of the process first.
    threadId: threadId === id ? id! : threadId!,
    reblogOfId: reblogOfId === '0' ? undefined : reblogOfId,
  }
}

/** Decodes the heads of `HEADS`, by id. */
export const headsOf = (heads: string | null): Map<string, Head> =>
  new Map(
    rowsOf(heads)
      .map(headOf)
      .map((head) => [head.id, head]),
  )

/** Decodes the quotes of `HEADS`, by the quoting status. */
export const quotesIn = (text: string | null): Map<string, StoredQuote> =>
  new Map(rowsOf(text).map(([id, state, quotedId]) => [id!, { state: Number(state) as QuoteState, quotedId }]))

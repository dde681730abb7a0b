import { QuotePolicy } from '@rookery/contracts/statuses'
import { hasRow, prepared, type Source } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus, isUnrestrictedAccount } from '../../audience/index.ts'

/*
 * The rule of public and tag timelines (beyond-the-spec 1.12, Public/tag), defined only here. Public and tag streams use the same
 * conditions.
 */

/** The rows of status_head on public timelines, as in their indexes; the author must also be unrestricted. */
export const IS_LISTED = sql.raw('is_listed')
/** Those of them on the local timeline, or on the remote one. */
export const ORIGINS = { everywhere: sql.raw('true'), local: sql.raw('is_local'), remote: sql.raw('not is_local') } as const
export type Origin = keyof typeof ORIGINS
/** Those of them on timelines with media only. */
export const HAS_MEDIA = sql.raw('has_media')
/** The rows of status_head, by an alias, on the timelines of their tags; the author must also be unrestricted. */
export const isTagged = isPublicStatus

/** The public streams of a status, as public timelines show it now. */
export type Listing = {
  statusId: string
  isLocal: boolean
  isListed: boolean
  hasMedia: boolean
  /** Whether the timelines of its tags show it. */
  isTagged: boolean
  tags: string[]
  /** Whether the quote or the quote approval may differ between listeners. */
  hasViewerQuotes: boolean
}

const listings = prepared(
  'timelines.listings',
  ({ ids }: { ids: readonly string[] }) => sql<Listing>`
    select h.id status_id, h.is_local, h.${IS_LISTED} and a.is_open is_listed, h.${HAS_MEDIA} has_media,
      ${isTagged('h')} and a.is_open is_tagged, case when ${isTagged('h')} and a.is_open then array(
        select name from (select name from status_tag where status_id = h.id offset 0) t order by name) else '{}' end tags,
      h.quote_policy <> ${sql.lit(QuotePolicy.PUBLIC)} or ${hasRow(sql`from quote where status_id = h.id`)} has_viewer_quotes
    from status_head h cross join lateral (select ${isUnrestrictedAccount('h.author_id')} is_open) a where h.id = any(${ids}::bigint[])`,
)

/** Deleted statuses are left out. */
export const readListings = async (source: Source, ids: readonly string[]): Promise<Map<string, Listing>> =>
  new Map((await listings(source, { ids })).map((listing) => [listing.statusId, listing]))

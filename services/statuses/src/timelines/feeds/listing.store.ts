import { type Db, runText, sqlText } from '@rookery/database'
import { isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/*
 * What is shown to everybody (beyond-the-spec 1.12, Public/tag): the one place that says so. Public and tag timelines are made of these
 * conditions, and so are the public and tag streams.
 */

/** Of statuses whose author `author` names: no silenced, no suspended ones. */
export const byOpenAuthor = (author: string): string =>
  `not exists (select 1 from account where id = ${author} and (is_silenced or is_suspended))`

/** The rows of status_head that public timelines show, as their indexes say it; by open authors only. */
export const IS_LISTED = 'is_listed'
/** Those among them that the timelines with media show. */
export const HAS_MEDIA = 'has_media'
/** The rows of status_head, by an alias, that timelines of their tags show; by open authors only. */
export const isTagged = (head: string): string => sqlText`${isPublicStatus(head)}`

/** What public streams carry of a status, as public timelines show it now. */
export type Listing = { statusId: string; isListed: boolean; hasMedia: boolean; tags: string[] }

const LISTINGS = `
  select h.id "statusId", h.${IS_LISTED} and a.is_open "isListed", h.${HAS_MEDIA} "hasMedia",
    case when ${isTagged('h')} and a.is_open then array(select name from status_tag where status_id = h.id order by name) else '{}' end tags
  from status_head h cross join lateral (select ${byOpenAuthor('h.author_id')} is_open) a where h.id = any($1::bigint[])`

/** Reads it of statuses; those that are gone are left out. */
export const readListings = async (db: Db<StatusesTables>, ids: readonly string[]): Promise<Map<string, Listing>> =>
  new Map((await runText<Listing, StatusesTables>(db, LISTINGS, [ids])).map((listing) => [listing.statusId, listing]))

import { type Database, inBothOrders, keyset, type Page, sqlText, statement } from '@rookery/database'
import { blocks, isInAudienceOf } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'

/** Whether the account $5 blocks the viewer $1, as text; null when there is no such account. */
const DOOR = sqlText`(select (${blocks('$5', '$1')})::text
  from account where id = $5 and closed_at is null)`

/**
 * $1 viewer, $2 below, $3 above, $4 limit, $5 author, $6 with media only, $7 no replies to others, $8 no boosts, $9 a tag or null.
 * What the viewer may not see is left out here already, so that a page is not emptied by another's private posts.
 */
const posted = (order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.account-${order}`,
    sqlText`select h.id status_id, h.reblog_of_id from status_head h
     where h.author_id = $5 and h.id < $2 and h.id > $3
       and ($6::boolean is false or (h.has_media and h.reblog_of_id is null))
       and ($7::boolean is false or not h.is_reply_to_other)
       and ($8::boolean is false or h.reblog_of_id is null)
       and ($9::text is null or exists (select 1 from status_tag where status_id = h.id and name = $9))
       and ${isInAudienceOf('h', '$1', '$5')}
     order by h.id ${order} limit $4`,
    { withAudience: true, note: DOOR, types: [...PAGE_TYPES, 'bigint', 'boolean', 'boolean', 'boolean', 'text'] },
  )

const STATEMENTS = inBothOrders(posted)

/** What the author $5 pinned, latest first, for the viewer $1: $2 below, $3 above, $4 limit. Paged by the pin. */
const pinned = (order: 'asc' | 'desc') =>
  skeletonStatement(
    `timelines.pinned-${order}`,
    sqlText`select h.id status_id, h.reblog_of_id, p.id cursor from pin p join status_head h on h.id = p.status_id
     where p.account_id = $5 and p.id < $2 and p.id > $3
       and ${isInAudienceOf('h', '$1', '$5')}
     order by p.id ${order} limit $4`,
    { withAudience: true, withCursors: true, note: DOOR },
  )

const PINNED = inBothOrders(pinned)

/** A part of somebody's profile: undefined without such an account, and nothing of whoever blocks the viewer. */
const behindDoor = (skeleton: Skeleton): Skeleton | undefined => {
  if (skeleton.note === undefined) return undefined
  return skeleton.note === 'true' ? { ...skeleton, ids: [] } : skeleton
}

/** A part of what somebody pinned, as `behindDoor` says: one statement. */
export const readPinnedSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  authorId: string,
  page: Page,
): Promise<Skeleton | undefined> => {
  const { order, bounds } = keyset(page)
  return behindDoor(skeletonOf(await PINNED[order](database, [viewerId || '0', ...bounds, authorId])))
}

/** Which of somebody's posts are wanted; tagged is a normalised name. */
export type AccountQuery = {
  authorId: string
  onlyMedia: boolean
  excludeReplies: boolean
  excludeReblogs: boolean
  tagged: string | undefined
}

/** A part of what somebody posted, as `behindDoor` says: one statement. */
export const readAccountSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  query: AccountQuery,
  page: Page,
): Promise<Skeleton | undefined> => {
  const { order, bounds } = keyset(page)
  const filters = [query.authorId, query.onlyMedia, query.excludeReplies, query.excludeReblogs, query.tagged ?? null]
  return behindDoor(skeletonOf(await STATEMENTS[order](database, [viewerId || '0', ...bounds, ...filters])))
}

/** A row when there is such an account. */
export const readAccountExists = statement<[id: string]>(
  'timelines.account-exists',
  'select id from account where id = $1 and closed_at is null',
)

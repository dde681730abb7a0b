import { type Database, firstRows, hasRow, inBothOrders, keyset, type Order, type Page, prepared } from '@rookery/database'
import { sql } from 'kysely'
import { blocks, isInAudienceOf, isThere } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'

/** Whether the author blocks the viewer or is suspended, so that the viewer may see nothing; null if there is no such account. */
type ProfileAccess = { isClosed: boolean } | null

const profileAccess = ({ authorId, viewerId }: { authorId: string; viewerId: string }) => sql`
  (select json_build_object('isClosed', is_suspended or ${blocks(sql`${authorId}`, sql`${viewerId}`)})
    from account where id = ${authorId} and ${isThere()})`

type AuthorPage = PageValues & {
  authorId: string
  onlyMedia: boolean
  excludeReplies: boolean
  excludeReblogs: boolean
  tagged: string | null
}

/** Whether the statuses `h` of an author are those that a reader asks for, and may see. */
const isAsked = (given: AuthorPage) => sql`
  (${given.onlyMedia}::boolean is false or (h.has_media and h.reblog_of_id is null))
  and (${given.excludeReplies}::boolean is false or not h.is_reply_to_other)
  and (${given.excludeReblogs}::boolean is false or h.reblog_of_id is null)
  and (${given.tagged}::text is null or ${hasRow(sql`from status_tag where status_id = h.id and name = ${given.tagged}`)})
  and ${isInAudienceOf('h', sql`${given.viewerId}`, sql`${given.authorId}`)}`

/** Statuses that the viewer may not see are left out here already, so that the views do not empty a page of someone's private posts. */
const posted = (order: Order) =>
  skeletonStatement<AuthorPage, ProfileAccess>(`timelines.account-${order}`, {
    page: (given) =>
      firstRows(
        sql`select h.id status_id, h.reblog_of_id from status_head h
          where h.author_id = ${given.authorId} and h.id < ${given.below} and h.id > ${given.above}
            and ${isAsked(given)}
          order by h.id ${sql.raw(order)}`,
        given.limit,
      ),
    note: profileAccess,
    types: {
      ...PAGE_TYPES,
      authorId: 'bigint',
      onlyMedia: 'boolean',
      excludeReplies: 'boolean',
      excludeReblogs: 'boolean',
      tagged: 'text',
    },
  })

const POSTED = inBothOrders(posted)

/** An author's pinned statuses, latest pin first; paged by pin. */
const pinned = (order: Order) =>
  skeletonStatement<AuthorPage, ProfileAccess>(`timelines.pinned-${order}`, {
    page: (given) =>
      firstRows(
        sql`select h.id status_id, h.reblog_of_id, p.id cursor from pin p
          cross join lateral (
            select id, author_id, visibility, reblog_of_id, has_media, is_reply_to_other from status_head where id = p.status_id offset 0) h
          where p.account_id = ${given.authorId} and p.id < ${given.below} and p.id > ${given.above}
            and ${isAsked(given)}
          order by p.id ${sql.raw(order)}`,
        given.limit,
      ),
    note: profileAccess,
    withCursors: true,
  })

const PINNED = inBothOrders(pinned)

/** Undefined if there is no such account; empty if the viewer may see nothing of it. */
const withinAccess = (skeleton: Skeleton<ProfileAccess>): Skeleton | undefined => {
  if (skeleton.note === null) return undefined
  return skeleton.note.isClosed ? { ...skeleton, ids: [] } : skeleton
}

/** The requested posts of an author, all or the pinned ones; `tagged` is a normalised name. */
type AccountQuery = {
  authorId: string
  pinned: boolean
  onlyMedia: boolean
  excludeReplies: boolean
  excludeReblogs: boolean
  tagged: string | undefined
}

/** A part of an author's posts, checked by `withinAccess`: one statement. */
export const readAccountSkeleton = async (
  database: Database<StatusesTables>,
  viewerId: string,
  { pinned: isPinned, ...wanted }: AccountQuery,
  page: Page,
): Promise<Skeleton | undefined> => {
  const { order, below, above, limit } = keyset(page)
  const values = { ...wanted, tagged: wanted.tagged ?? null, viewerId: viewerId || '0', below, above, limit }
  return withinAccess(await (isPinned ? PINNED : POSTED)[order](database, values))
}

/** Returns a row if there is such an account. */
export const readAccountExists = prepared('timelines.account-exists', ({ id }: { id: string }) =>
  query.selectFrom('account').select('id').where('id', '=', id).where(isThere()),
)

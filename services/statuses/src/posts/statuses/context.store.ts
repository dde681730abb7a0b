import { memoize } from '@rookery/cache'
import type { Database } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { commonSkeletonStatement, type Skeleton, type Viewer } from '../../views/index.ts'
import { type Thread, threadOf } from './context.rules.ts'

type ContextLimits = { ancestors: number; descendants: number; depth: number }

/** The number of ancestors, the parent of each descendant, in the order of the ids, and the uri of a remote status. */
type ContextNote = { above: number; parents: string[] | null; uri: string | null }

/** A status, its ancestors, nearest first, and its descendants, down to `depth`. */
const statement = commonSkeletonStatement<Viewer & ContextLimits & { id: string }, ContextNote>('context', {
  parts: ({ id, ancestors, descendants, depth }) => sql`
    thread as materialized (
      with recursive chain as (
        select s.in_reply_to_id id, 1 depth from (select in_reply_to_id from status where id = ${id} offset 0) s where s.in_reply_to_id is not null
        union all
        select s.in_reply_to_id, depth + 1 from chain cross join lateral (select in_reply_to_id from status where id = chain.id offset 0) s
        where s.in_reply_to_id is not null and depth < ${ancestors}),
      tree as (
        (select id, in_reply_to_id, 1 depth from status where in_reply_to_id = ${id} order by id limit ${descendants})
        union all
        select s.id, s.in_reply_to_id, depth + 1 from tree cross join lateral (
          select id, in_reply_to_id from status where in_reply_to_id = tree.id order by id limit ${descendants}) s
        where depth < ${depth})
      select ${id} id, (select reblog_of_id from status_head where id = ${id}) reblog_of_id, null::bigint parent_id, 'itself' place
      union all
      (select id, null, null, 'above' from chain order by depth)
      union all
      (select id, null, in_reply_to_id, 'below' from tree order by depth, id limit ${descendants}))`,
  page: () => sql`select id status_id, reblog_of_id from thread`,
  note: ({ id }) => sql`json_build_object(
    'above', (select count(*) from thread where place = 'above'),
    'parents', (select json_agg(parent_id::text) from thread where place = 'below'),
    'uri', (select uri from status where id = ${id}))`,
  types: { id: 'bigint', ancestors: 'int', descendants: 'int', depth: 'int' },
})

/** A status with the thread around it, for one viewer. */
type ContextSkeleton = { skeleton: Skeleton; thread: Thread; uri: string | null }

/** Threads whose order is cached. */
const MAX_ORDERED = 2

/** Computed once for all readers of an unchanged thread: they share its array of ids, and with it the presented page. */
const order = memoize(([id = '', ...around]: readonly string[], heads: Skeleton['heads'], { above, parents }: ContextNote): Thread => {
  const replies = around.slice(above).map((replyId, index) => ({
    id: replyId,
    parentId: parents![index]!,
    authorId: heads.get(replyId)?.authorId ?? '',
  }))
  return threadOf({ id, authorId: heads.get(id)?.authorId ?? '' }, around.slice(0, above), replies)
}, MAX_ORDERED)

/** Reads the thread around a status: one statement, and one more for signed-in viewers. */
export const readContextSkeleton = async (
  database: Pick<Database<StatusesTables>, 'pool'>,
  given: Viewer & ContextLimits & { id: string },
): Promise<ContextSkeleton> => {
  const skeleton = await statement(database, given)
  return { skeleton, thread: order(skeleton.ids, skeleton.heads, skeleton.note), uri: skeleton.note.uri }
}

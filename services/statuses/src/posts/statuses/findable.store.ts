import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus } from '../../audience/index.ts'

/** The last status checked; null if there are no more. */
type Marked = { last: string | null }

/** Updates `is_findable` on a batch of an author's statuses, by the author's current setting. */
export const markOfAuthor = prepared(
  'findable.of-author',
  ({ accountId, after, limit }: { accountId: string; after: string; limit: number }) => sql<Marked>`
    with part as materialized (
        select h.id, ${isPublicStatus('h')} and h.reblog_of_id is null
          and (select indexable from account where id = ${accountId}) is_findable
        from status_head h where h.author_id = ${accountId} and h.id > ${after} order by h.id limit least(${limit}::int, 1000)),
      marked as (
        update status s set is_findable = p.is_findable from part p
        where s.id = any(array(select id from part)) and s.id = p.id and s.is_findable <> p.is_findable)
    select max(id)::text last from part`,
)

/** Sets `is_findable` on those of a batch of all statuses that lack it. */
export const markMissed = prepared(
  'findable.missed',
  ({ after, limit }: { after: string; limit: number }) => sql<Marked>`
    with part as materialized (
        select id, author_id, visibility, reblog_of_id from status_head where id > ${after} order by id limit least(${limit}::int, 1000)),
      marked as (
        update status set is_findable = true where not is_findable and id = any(array(
          select p.id from part p cross join lateral (select indexable from account where id = p.author_id offset 0) a
          where a.indexable and ${isPublicStatus('p')} and p.reblog_of_id is null)))
    select max(id)::text last from part`,
)

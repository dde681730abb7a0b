import type { DeletionPolicy } from '@rookery/contracts/statuses'
import { hasRow, prepared, type Tx } from '@rookery/database'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { isNotDirectStatus, isNotSuspended } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { DeletionPolicyTable } from '../../database/tables/deletion-policy.ts'

/** The stored policy of an account. */
export const readPolicy = prepared('deletion-policies.read', ({ accountId }: { accountId: string }) =>
  query.selectFrom('deletionPolicy').selectAll().where('accountId', '=', accountId),
)

/** Stores a policy; the search for statuses to delete begins again at `dueAt`. */
export const writePolicy = async (
  tx: Tx<StatusesTables>,
  { accountId, policy, dueAt }: { accountId: string; policy: DeletionPolicy; dueAt: Date },
): Promise<void> => {
  const { minFavourites = null, minBoosts = null, ...rest } = policy
  const row = { ...rest, minFavourites, minBoosts, afterId: '0', dueAt }
  await tx
    .insertInto('deletionPolicy')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute()
}

/** An account whose statuses are to be looked at. */
export type DuePolicy = Pick<Selectable<DeletionPolicyTable>, 'accountId' | 'days' | 'afterId' | 'dueAt'>

/** Policies that are due, the longest due first, of accounts that are not suspended. */
export const readDue = prepared(
  'deletion-policies.due',
  ({ now, limit }: { now: Date; limit: number }) => sql<DuePolicy>`
    select p.account_id, p.days, p.after_id, p.due_at from deletion_policy p
    cross join lateral (select is_suspended, closed_at from account where id = p.account_id offset 0) a
    where p.is_on and p.due_at <= ${now} and a.closed_at is null and ${isNotSuspended('a')} order by p.due_at limit ${limit}`,
)

/** Whether a status (alias `h`) is to be deleted by a policy (alias `p`). */
const isUnkept = sql<SqlBool>`(p.is_on
  and (not p.keep_direct or ${isNotDirectStatus('h')})
  and not (p.keep_media and h.has_media)
  and not (p.keep_pinned and ${hasRow(sql`from pin where status_id = h.id`)})
  and not (p.keep_polls and ${hasRow(sql`from poll where status_id = h.id`)})
  and not (p.keep_favourited and ${hasRow(sql`from favourite where account_id = h.author_id and status_id = h.id`)})
  and not (p.keep_bookmarked and ${hasRow(sql`from bookmark where account_id = h.author_id and status_id = h.id`)})
  and (p.min_favourites is null or h.favourites < p.min_favourites)
  and (p.min_boosts is null or h.reblogs < p.min_boosts))`

/** Looks at the next of an account's statuses, oldest first: those to delete, and the last one looked at, null at the end. */
export const readUnkept = prepared(
  'deletion-policies.unkept',
  ({ accountId, after, before, limit }: { accountId: string; after: string; before: string; limit: number }) => sql<{
    ids: string[]
    last: string | null
  }>`
    with looked as materialized (
      select id, author_id, visibility, has_media, favourites, reblogs from status_head
      where author_id = ${accountId} and id > ${after} and id < ${before} order by id limit ${limit})
    select array(select h.id::text from looked h cross join (select * from deletion_policy where account_id = ${accountId}) p where ${isUnkept}
        order by h.id) ids,
      case when (select count(*) from looked) = ${limit} then (select max(id)::text from looked) end last`,
)

/** The status, if the current policy of its author still deletes it. */
export const stillUnkept = async (tx: Tx<StatusesTables>, { accountId, id }: { accountId: string; id: string }): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select h.id from status_head h cross join (select * from deletion_policy where account_id = ${accountId}) p
    where h.id = ${id} and h.author_id = ${accountId} and ${isUnkept}`.execute(tx)
  return rows.map((row) => row.id)
}

/** Records how far the search is, unless the policy was changed meanwhile, and when it continues. */
export const movePolicy = async (
  tx: Tx<StatusesTables>,
  { from, afterId, dueAt }: { from: DuePolicy; afterId: string; dueAt: Date },
): Promise<void> => {
  await sql`
    update deletion_policy set after_id = ${afterId}, due_at = ${dueAt}
    where account_id = ${from.accountId} and due_at = ${from.dueAt}`.execute(tx)
}

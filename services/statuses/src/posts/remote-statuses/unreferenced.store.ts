import { arrayLiteral, hasRow, prepared, type Tx } from '@rookery/database'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** Whether a row exists for a status, by an index. */
const isIn = (table: string, column: string): RawBuilder<SqlBool> => hasRow(sql`from ${sql.table(table)} where ${sql.ref(column)} = h.id`)

/** The tables by which people here, or what they wrote, refer to a status, and their columns. */
const REFERENCES = [
  ['favourite', 'status_id'],
  ['bookmark', 'status_id'],
  ['pin', 'status_id'],
  ['poll_vote', 'status_id'],
  ['filter_status', 'status_id'],
  ['quote', 'quoted_id'],
  ['scheduled_status', 'in_reply_to_id'],
  ['scheduled_status', 'quoted_id'],
  ['status', 'in_reply_to_id'],
  ['status_head', 'reblog_of_id'],
] as const

/** Whether a status with this id is of this server. */
const isOfThisServer = (id: RawBuilder<unknown>): RawBuilder<SqlBool> => hasRow(sql`from status_head where id = ${id} and is_local`)

/**
 * Whether a status of another server (alias `h`) is unreferenced: no one here follows its author, and nothing refers to it; it refers to no status
 * and mentions no account of this server; and no open report is about its author.
 */
const isUnreferenced = sql<boolean>`(not h.is_local
  and not ${hasRow(sql`from follow where target_id = h.author_id and is_local`)}
  and ${sql.join(
    REFERENCES.map(([table, column]) => sql`not ${isIn(table, column)}`),
    sql` and `,
  )}
  and not ${isOfThisServer(sql`h.thread_id`)}
  and not ${isOfThisServer(sql`h.reblog_of_id`)}
  and not ${isOfThisServer(sql`(select in_reply_to_id from status where id = h.id)`)}
  and not ${isOfThisServer(sql`(select quoted_id from quote where status_id = h.id)`)}
  and not ${hasRow(sql`from mention m cross join lateral (select from account where id = m.account_id and domain is null offset 0) a where m.status_id = h.id`)}
  and not ${hasRow(sql`from report where target_id = h.author_id and action_taken_at is null`)})`

/**
 * Looks at the next statuses below an id, records those that are unreferenced, and moves the search on; at the end it begins again. Returns how many
 * it looked at.
 */
export const findUnreferenced = prepared(
  'unreferenced.find',
  ({ before, limit, now }: { before: string; limit: number; now: Date }) => sql<{ count: number }>`
    with search as materialized (select after_id from unreferenced_search),
    looked as materialized (
      select id, author_id, is_local, reblog_of_id, thread_id from status_head
      where id > (select after_id from search) and id < ${before} order by id limit ${limit}),
    found as (
      insert into unreferenced_status (status_id, found_at)
      select h.id, ${now}::timestamptz from looked h where ${isUnreferenced} on conflict do nothing),
    moved as (
      update unreferenced_search set after_id = case when (select count(*) from looked) < ${limit} then 0 else (select max(id) from looked) end)
    select count(*)::int count from looked`,
)

/** Statuses that were found unreferenced before a time, the first found first, with their authors. */
export const readFound = prepared(
  'unreferenced.read',
  ({ before, limit }: { before: Date; limit: number }) => sql<{ authorId: string; ids: string[] }>`
    with found as materialized (
      select status_id from unreferenced_status where found_at < ${before} order by found_at, status_id limit ${limit})
    select h.author_id, array_agg(h.id::text) ids
    from found cross join lateral (select id, author_id from status_head where id = found.status_id offset 0) h group by h.author_id`,
)

/**
 * Those of some statuses that are still unreferenced and below an id: how long they are kept may have changed. The others are not counted as found
 * any more.
 */
export const stillUnreferenced = async (
  tx: Tx<StatusesTables>,
  { ids: statusIds, before }: { ids: readonly string[]; before: string },
): Promise<string[]> => {
  const ids = sql`${arrayLiteral(statusIds)}::bigint[]`
  const { rows } = await sql<{ id: string }>`
    select h.id from status_head h where h.id = any(${ids}) and h.id < ${before} and ${isUnreferenced}`.execute(tx)
  const still = rows.map(({ id }) => id)
  await sql`
    delete from unreferenced_status where status_id = any(${ids}) and status_id <> all(${arrayLiteral(still)}::bigint[])`.execute(tx)
  return still
}

import { sql } from 'kysely'

/** Maximum accounts of each kind, the latest: without it, an edit of a status with thousands of boosts would query all of them. */
const MAX_OF_A_KIND = 1000

/** The accounts who boosted, favourited or answered a status. Their servers have it, although they may not follow its author. */
export const interactors = (statusId: string) => {
  const id = sql.raw(statusId)
  const limit = sql.lit(MAX_OF_A_KIND)
  return sql<{ accountId: string }>`
    (select author_id account_id from status_head where reblog_of_id = ${id} order by id desc limit ${limit})
    union all (select account_id from favourite where status_id = ${id} order by id desc limit ${limit})
    union all (
      select reply_head.author_id from (select id from status where in_reply_to_id = ${id} order by id desc limit ${limit}) reply
      cross join lateral (select author_id from status_head where id = reply.id offset 0) reply_head)`
}

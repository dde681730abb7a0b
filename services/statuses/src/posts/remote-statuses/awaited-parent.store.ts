import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Maximum replies that wait for one status; further ones stay without it. */
const MAX_WAITING = 1000

type Waiting = { id: string; uri: string; now: Date }

/** Has a reply without a parent wait for the status with a uri. */
export const awaitParent = prepared(
  'remote.await-parent',
  ({ id, uri, now }: Waiting) => sql<never>`
    insert into awaited_parent (status_id, uri, created_at)
    select id, ${uri}, ${now}::timestamptz from (select id from status where id = ${id} and in_reply_to_id is null offset 0) reply
    where (select count(*) from (select from awaited_parent where uri = ${uri} limit ${sql.lit(MAX_WAITING)}) waiting) < ${sql.lit(MAX_WAITING)}
    on conflict do nothing`,
)

/** Forgets up to 1000 replies that wait since before a time. */
export const forgetWaiting = prepared(
  'remote.forget-waiting',
  ({ before }: { before: Date }) => sql<{ statusId: string }>`
    delete from awaited_parent where status_id = any(array(
      select status_id from awaited_parent where created_at < ${before} order by created_at limit 1000))
    returning status_id`,
)

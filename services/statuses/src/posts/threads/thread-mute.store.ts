import { prepared } from '@rookery/database'
import { sql } from 'kysely'

type Pair = { viewerId: string; statusId: string }

/** Mutes the thread of a status; idempotent. */
export const addThreadMute = prepared(
  'threads.mute',
  ({ viewerId, statusId }: Pair) => sql<never>`
    insert into thread_mute (account_id, thread_id) select ${viewerId}, thread_id from status_head where id = ${statusId}
    on conflict do nothing`,
)

/** Unmutes the thread of a status; idempotent. */
export const removeThreadMute = prepared(
  'threads.unmute',
  ({ viewerId, statusId }: Pair) => sql<never>`
    delete from thread_mute where account_id = ${viewerId} and thread_id = (select thread_id from status_head where id = ${statusId})`,
)

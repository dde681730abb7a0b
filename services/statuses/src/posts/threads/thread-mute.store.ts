import { statement } from '@rookery/database'

/** Notes that $1 wants to hear no more of the thread that the status $2 is in; also when they said so before. */
export const addThreadMute = statement<[]>(
  'threads.mute',
  `insert into thread_mute (account_id, thread_id) select $1, thread_id from status_head where id = $2 on conflict do nothing`,
)

/** Takes that back; also when they never said so. */
export const removeThreadMute = statement<[]>(
  'threads.unmute',
  'delete from thread_mute where account_id = $1 and thread_id = (select thread_id from status_head where id = $2)',
)

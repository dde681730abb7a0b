import { statement } from '@rookery/database'

/**
 * $1 viewer, $2 limit, $3 offset, $4 now. Whom a block parts from the viewer, or the viewer mutes, is left out. Blocks and mutes are read
 * once, not once an account.
 */
const listed = (name: string, order: string) =>
  statement<[id: string]>(
    `directory.${name}`,
    `select a.id from account a
     where a.discoverable and a.is_active and not a.is_silenced and not a.is_suspended and a.id not in (
       select target_id from block where account_id = $1
       union all select account_id from block where target_id = $1
       union all select target_id from mute where account_id = $1 and (expires_at is null or expires_at > $4::timestamptz))
     order by ${order} limit $2 offset $3`,
  )

/** Whoever posted last comes first; of whom posted on the same day, what they posted last decides. Direct statuses do not count. */
export const readActive = listed(
  'active',
  `a.last_status_on desc nulls last,
   (select max(h.id) from status_head h where h.author_id = a.id and h.visibility < 4) desc nulls last, a.id desc`,
)

/** Whoever came last comes first. */
export const readNewest = listed('new', 'a.id desc')

import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** The inboxes of all remote actors with an account, shared inboxes once, and those of relays. */
export const readKnownInboxes = prepared(
  'inboxes.known',
  () => sql<{ inbox: string }>`
    select coalesce(nullif(shared_inbox, ''), inbox) inbox from remote_actor where account_id is not null and gone_at is null
    union select inbox from relay where state = 'accepted'`,
)

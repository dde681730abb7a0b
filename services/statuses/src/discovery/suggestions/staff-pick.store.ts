import type { StaffPick } from '@rookery/contracts/statuses'
import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Adds a staff pick; idempotent. */
export const addPick = prepared(
  'suggestions.pick',
  ({ accountId, now }: { accountId: string; now: Date }) => sql<StaffPick>`
    with picked as (select id, username from account where id = ${accountId}),
      added as (insert into staff_pick (account_id, created_at) select id, ${now} from picked on conflict do nothing)
    select id account_id, username from picked`,
)

/** Removes a staff pick; no row if there was none. */
export const removePick = prepared(
  'suggestions.unpick',
  ({ accountId }: { accountId: string }) => sql<StaffPick>`
    with removed as (delete from staff_pick where account_id = ${accountId} returning account_id)
    select a.id account_id, a.username from removed r join account a on a.id = r.account_id`,
)

/** All staff picks, oldest first. */
export const readPicks = prepared(
  'suggestions.picks',
  () => sql<StaffPick>`
    select p.account_id, a.username from staff_pick p
    cross join lateral (select username from account where id = p.account_id offset 0) a order by p.id`,
)

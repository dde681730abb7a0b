import { statement } from '@rookery/database'

type PickRow = [accountId: string, username: string]

/** Suggests the account $1 to everybody since $2; again changes nothing. */
export const addPick = statement<PickRow>(
  'suggestions.pick',
  `with picked as (select id, username from account where id = $1),
     added as (insert into staff_pick (account_id, created_at) select id, $2 from picked on conflict do nothing)
   select id, username from picked`,
)

/** Suggests it no more; no row when it was not picked. */
export const removePick = statement<PickRow>(
  'suggestions.unpick',
  `with removed as (delete from staff_pick where account_id = $1 returning account_id)
   select a.id, a.username from removed r join account a on a.id = r.account_id`,
)

/** All picks, the first first. */
export const readPicks = statement<PickRow>(
  'suggestions.picks',
  'select a.id, a.username from staff_pick p join account a on a.id = p.account_id order by p.id',
)

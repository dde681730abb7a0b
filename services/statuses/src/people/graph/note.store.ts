import { statement } from '@rookery/database'

/** Keeps what the viewer ($1) notes of somebody ($2): the text $3, or nothing when that is empty. No row when there is nobody. */
export const writeNoteRow = statement<[targetId: string]>(
  'graph.write-note',
  `with target as (select id from account where id = $2 and closed_at is null),
     removed as (delete from account_note n using target where $3::text = '' and n.account_id = $1 and n.target_id = target.id),
     written as (
       insert into account_note (account_id, target_id, comment) select $1, id, $3 from target where $3 <> ''
       on conflict (account_id, target_id) do update set comment = excluded.comment)
   select id from target`,
)

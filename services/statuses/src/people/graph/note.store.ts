import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isThere } from '../../audience/index.ts'

/** Stores the viewer's note about an account, or deletes it if the text is empty. No row if there is no such account. */
export const writeNoteRow = prepared(
  'graph.write-note',
  ({ viewerId, targetId, comment }: { viewerId: string; targetId: string; comment: string }) => sql<{ id: string }>`
    with target as (select id from account where id = ${targetId} and ${isThere()}),
      removed as (
        delete from account_note where ${comment}::text = '' and account_id = ${viewerId} and target_id = (select id from target)),
      written as (
        insert into account_note (account_id, target_id, comment) select ${viewerId}, id, ${comment} from target where ${comment} <> ''
        on conflict (account_id, target_id) do update set comment = excluded.comment)
    select id from target`,
)

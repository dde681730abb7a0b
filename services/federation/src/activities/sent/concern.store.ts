import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { Elsewhere } from './concern.rules.ts'

/**
 * Reads which of some accounts are remote, which authors have remote followers (each follow from outside is recorded as an act), and whether there
 * are relays.
 */
export const readElsewhere = prepared(
  'concern.elsewhere',
  ({ accountIds, authorIds }: { accountIds: readonly string[]; authorIds: readonly string[] }) =>
    sql<Elsewhere>`
    select coalesce((select true from remote_actor limit 1), false) is_anyone_known,
      exists (select from relay where state = 'accepted') has_relays,
      array(select account_id::text from remote_actor where account_id = any(${accountIds}::bigint[])) account_ids,
      array(
        select author.id::text from unnest(${authorIds}::bigint[]) as author (id),
          lateral (select from act where kind = 'follow' and subject_id = author.id limit 1) follow) followed_ids`,
)

import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { blocks, follows, isActiveMute, isThere, mutes } from '../../audience/index.ts'

/** Whom someone who moved left behind, where they are now, and behind which person to go on. */
type Asked = { fromId: string; toId: string; after: string; limit: number; now: Date }

/** Someone who blocks or mutes a person who moved, and what of that they are to do to the new account. */
export type Restriction = { accountId: string; blocks: boolean; mutes: boolean; notifications: boolean; expiresAt: Date | null }

/**
 * Reads it in the order of their ids. Nothing is to be done by people of other servers, who follow the new account or are it, by who does so already, and
 * where that account is gone.
 */
export const readRestrictions = prepared('graph.restrictions', ({ fromId, toId, after, limit, now }: Asked) => {
  const [to, at] = [sql`${toId}::bigint`, sql.val(now)]
  return sql<Restriction>`
    with blocking as materialized (
      select account_id from block where target_id = ${fromId} and account_id > ${after} order by account_id limit ${limit}),
    muting as materialized (
      select account_id, notifications, expires_at from mute
      where target_id = ${fromId} and account_id > ${after} and ${isActiveMute('mute', at)} order by account_id limit ${limit}),
    restricting as materialized (
      select account_id id, b.account_id is not null is_blocking, m.account_id is not null is_muting, m.notifications, m.expires_at
      from blocking b full join muting m using (account_id) order by account_id limit ${limit})
    select r.id account_id, may_act and is_blocking and not ${blocks('r.id', to)} blocks,
      may_act and is_muting and not ${mutes('r.id', to, at)} mutes, coalesce(notifications, false) notifications, expires_at
    from restricting r cross join lateral (
      select r.id <> ${to} and not ${follows('r.id', to)}
        and exists (select 1 from account where id = r.id and domain is null and ${isThere()})
        and exists (select 1 from account where id = ${to} and ${isThere()}) may_act offset 0) judged
    order by r.id`
})

import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus, isUnrestricted } from '../../audience/index.ts'
import { countedDays } from '../../content/uses/index.ts'
import { firstIdOn } from '../../database/days.store.ts'
import type { UsedKind } from '../../database/tables/trend.ts'

/** A marked day (since 1970) of an account. */
type AccountDay = { accountId: string; day: number }

/** A tag or link, by its name or its page's digest. */
export type Used = { kind: UsedKind; key: string }

/** Account days counted per transaction. */
export const DAYS_AT_ONCE = 50
/** Maximum statuses counted per account and day, the newest. */
const MAX_STATUSES = sql.lit(1000)

/** Takes some of the marked days; skips those locked by another process. */
export const takePending = prepared(
  'trends.take-pending',
  ({ limit }: { limit: number }) => sql<AccountDay>`
    delete from pending_use p using (
      select account_id, day from pending_use order by account_id, day limit ${limit} for update skip locked) taken
    where p.account_id = taken.account_id and p.day = taken.day returning p.account_id, p.day`,
)

/**
 * Counts the accounts' uses on days, in public statuses that are not sensitive, by accounts that are neither silenced nor suspended, and updates the
 * counters. Returns the tags and links whose counters changed. Idempotent.
 */
export const countUses = prepared(
  'trends.count-uses',
  ({ accountIds, days }: { accountIds: readonly string[]; days: readonly number[] }) => sql<Used>`
    with pair as materialized (
      select account_id, day from unnest(${accountIds}::bigint[], ${days}::int[]) pair (account_id, day)),
    counted as materialized (
      select p.account_id, p.day, h.id from pair p
      cross join lateral (select account.is_active and ${isUnrestricted()} is_open from account where id = p.account_id offset 0) a
      cross join lateral (
        select h.id from status_head h
        where h.author_id = p.account_id and h.id >= ${firstIdOn('p.day')} and h.id < ${firstIdOn('p.day + 1')}
          and ${isPublicStatus('h')} and h.reblog_of_id is null
        order by h.id desc limit ${MAX_STATUSES}) h
      cross join lateral (select sensitive from status where id = h.id offset 0) s
      where a.is_open and not s.sensitive),
    used as materialized (
      select account_id, day, kind, key, count(*)::int uses from (
        select c.account_id, c.day, 'tag' kind, t.name key from counted c
        cross join lateral (select name from status_tag where status_id = c.id offset 0) t
        union all
        select c.account_id, c.day, 'link', l.digest from counted c
        cross join lateral (select digest from status_card where status_id = c.id offset 0) l) u
      group by account_id, day, kind, key),
    former as materialized (
      select p.account_id, p.day, u.kind, u.key, u.uses from pair p
      cross join lateral (select kind, key, uses from trend_use where account_id = p.account_id and day = p.day offset 0) u),
    removed as (
      delete from trend_use u using former f
      where u.account_id = f.account_id and u.day = f.day and u.kind = f.kind and u.key = f.key
        and not exists (select 1 from used n
          where n.account_id = f.account_id and n.day = f.day and n.kind = f.kind and n.key = f.key)),
    kept as (
      insert into trend_use (account_id, day, kind, key, uses) select account_id, day, kind, key, uses from used
      on conflict (account_id, day, kind, key) do update set uses = excluded.uses where trend_use.uses <> excluded.uses),
    change as (
      select kind, key, day, sum(uses)::int uses, sum(accounts)::int accounts from (
        select kind, key, day, uses, 1 accounts from used union all select kind, key, day, -uses, -1 from former) c
      group by kind, key, day having sum(uses) <> 0 or sum(accounts) <> 0)
    insert into trend_day (kind, key, day, uses, accounts) select kind, key, day, uses, accounts from change order by kind, key, day
    on conflict (kind, key, day) do update set uses = trend_day.uses + excluded.uses, accounts = trend_day.accounts + excluded.accounts
    returning kind, key`,
)

/** Uses of a tag or link on a day, and the number of accounts. */
type UsedOnDay = { key: string; day: number; uses: number; accounts: number }

/** Uses by day of some tags or links, since a day. */
export const readDays = prepared(
  'trends.days',
  ({ kind, keys, since }: { kind: string; keys: readonly string[]; since: number }) => sql<UsedOnDay>`
    select wanted.key, d.day, d.uses, d.accounts from unnest(${keys}::text[]) wanted (key)
    cross join lateral (${countedDays({ kind: sql`${kind}`, key: sql.raw('wanted.key'), since: sql`${since}` })}) d`,
)

const forgetFrom = (table: 'trend_use' | 'trend_day') =>
  prepared(
    `trends.forget-${table}`,
    ({ before, limit }: { before: number; limit: number }) => sql<{ day: number }>`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where day < ${before} order by day limit ${limit} for update skip locked))
      returning day`,
  )

/** Deletes some of the uses, or of the counters, before a day. */
export const forgetUses = forgetFrom('trend_use')
export const forgetDays = forgetFrom('trend_day')

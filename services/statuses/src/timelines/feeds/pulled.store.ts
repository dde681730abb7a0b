import { type Database, inBothOrders, type Order, prepared, type Source, type Tx } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { readBelonging, type Wanted } from './belonging.store.ts'
import { type Entry, mergedEntries } from './feed.rules.ts'
import { belonging, IS_SHOWN_AT_HOME, isPulled, NO_LIMIT, placed } from './feed-rule.store.ts'
import type { Found } from './gather.ts'

/*
 * Statuses of pulled authors (fan-out on read), which have too many followers to write to their homes. The table `pulled_author` decides
 * which statuses of an author are pulled, not the setting, so that each status is either written or pulled however the setting changes.
 */

type Stored = { accountId: string; below: string; above: string; count: number }

const stored = inBothOrders((order: Order) =>
  prepared(`timelines.stored-${order}`, ({ accountId, below, above, count }: Stored) =>
    query
      .selectFrom('feed')
      .select(['statusId', 'reblogOfId'])
      .where('accountId', '=', accountId)
      .where('statusId', '<', below)
      .where('statusId', '>', above)
      .orderBy('statusId', order)
      .limit(count),
  ),
)

/** The stored and the pulled entries of a home, from `floorId` on: two statements. */
export const readWithPulled = async (
  { db }: Database<StatusesTables>,
  { accountId, floorId }: { accountId: string; floorId: string },
  wanted: Wanted,
): Promise<Found> => {
  const { order, below, count } = wanted
  const above = BigInt(wanted.above) < BigInt(floorId) ? String(BigInt(floorId) - 1n) : wanted.above
  const kept: Entry[] = await stored[order](db, { accountId, below, above, count })
  const pulled = await readBelonging(db, accountId, { ...wanted, above }, 'pulled')
  return mergedEntries({ entries: kept, isAll: kept.length < count }, pulled, order)
}

/** A pair of a reader and a status. */
export type Held = { accountId: string; statusId: string }

type Asked = { ids: readonly string[]; accountIds: readonly string[]; now: Date }

/** The pairs of these accounts and statuses whose homes pull the status, or a boost of it. */
const pulledBy = ({ ids, accountIds, now }: Asked) => {
  // The author as a range in index order, so that Postgres cannot assume that a status has one boost, and read all of them.
  const candidates = sql`select unnest(${ids}::bigint[])
      union select boost.id from unnest(${ids}::bigint[]) boosted (id) cross join pulled_author author cross join lateral (
        select id from status_head where reblog_of_id = boosted.id and author_id between author.account_id and author.account_id
        order by author_id limit 1) boost`
  const readers = { some: sql`${accountIds}`, now: sql`${now}` }
  return sql`with ${placed(candidates)}, ${belonging(readers, NO_LIMIT, 'pulled')}
      select account_id, case when id = any(${ids}::bigint[]) then id else reblog_of_id end status_id from belonging`
}

/** The pairs of these accounts and statuses that are stored in their homes. */
const storedFor = ({ ids, accountIds }: Pick<Asked, 'ids' | 'accountIds'>) => sql`
  select account_id, status_id from feed where account_id = any(${accountIds}::bigint[]) and status_id = any(${ids}::bigint[])`

const recipients = prepared('timelines.pulled-recipients', (asked: Asked) => sql<Held>`${pulledBy(asked)} group by 1, 2`)

/** The pairs of these accounts and statuses whose homes pull the status, or a boost of it. */
export const readPulledRecipients = (
  source: Source,
  statusIds: readonly string[],
  { accountIds, now }: { accountIds: readonly string[]; now: Date },
): Promise<Held[]> => recipients(source, { ids: statusIds, accountIds, now })

// For posts the rule is evaluated, which looks up followers among these accounts; reading feeds would look up the homes of all of them.
const readers = prepared(
  'timelines.home-readers',
  ({ ids, accountIds, now }: Asked) => sql<Held>`
    with ${placed(sql`select unnest(${ids}::bigint[])`)}, ${belonging({ some: sql`${accountIds}`, now: sql`${now}` }, NO_LIMIT, 'either')}
    select distinct b.account_id, b.id status_id from belonging b join placed p on p.id = b.id
    where p.is_pulled or ${IS_SHOWN_AT_HOME}`,
)

/** The pairs of these accounts and placed statuses whose homes show the status, stored or pulled. */
export const readReaders = (
  source: Source,
  statusIds: readonly string[],
  { accountIds, now }: { accountIds: readonly string[]; now: Date },
): Promise<Held[]> => readers(source, { ids: statusIds, accountIds, now })

type AskedGone = { ids: readonly string[]; pulledIds: readonly string[]; pulledAuthorIds: readonly string[]; accountIds: readonly string[] }

// The rule cannot be evaluated for deleted statuses.
const formerReaders = prepared(
  'timelines.former-home-readers',
  ({ ids, pulledIds, pulledAuthorIds, accountIds }: AskedGone) => sql<Held>`
    select f.account_id, s.id status_id from unnest(${pulledIds}::bigint[], ${pulledAuthorIds}::bigint[]) as s (id, author_id)
    cross join lateral (
      select account_id from follow where target_id = s.author_id and account_id = any(${accountIds}::bigint[]) offset 0) f
    where ${isPulled(sql.raw('s.author_id'), sql.raw('s.id'))}
    union ${storedFor({ ids, accountIds })}`,
)

/** The pairs of these accounts and deleted statuses whose homes store the status, or may have shown it by pulling its author. */
export const readFormerReaders = (
  source: Source,
  gone: readonly { statusId: string; authorId: string; visibility: string }[],
  accountIds: readonly string[],
): Promise<Held[]> => {
  const pulled = gone.filter(({ visibility }) => visibility !== 'direct')
  return formerReaders(source, {
    ids: gone.map(({ statusId }) => statusId),
    pulledIds: pulled.map(({ statusId }) => statusId),
    pulledAuthorIds: pulled.map(({ authorId }) => authorId),
    accountIds,
  })
}

/** Of these authors, those with pulled statuses. */
export const readPulledAuthors = prepared(
  'timelines.pulled-authors',
  ({ accountIds }: { accountIds: readonly string[] }) => sql<{ accountId: string }>`
    select account_id from pulled_author where account_id = any(${accountIds}::bigint[])`,
)

const wide = prepared(
  'timelines.wide-authors',
  ({ ids, max }: { ids: readonly string[]; max: number }) => sql<{ authorId: string }>`
    select distinct a.id author_id from unnest(${ids}::bigint[]) as s (id)
    cross join lateral (select author_id from status_head where id = s.id offset 0) h
    cross join lateral (select id, followers_count from account where id = h.author_id offset 0) a
    where a.followers_count > ${max}::int and not exists (select 1 from pulled_author where account_id = a.id)
      and (select count(*) from (
        select 1 from follow where target_id = a.id and is_local limit ${max}::int + 1) followers) > ${max}::int`,
)

/** The authors of these statuses with more local followers than `max` who are not pulled yet. */
export const readWideAuthors = async (source: Source, statusIds: readonly string[], max: number): Promise<string[]> =>
  (await wide(source, { ids: statusIds, max })).map(({ authorId }) => authorId)

/** Maximum clock skew between processes that make ids, in milliseconds. */
const MAX_SKEW = 1000

/** Has an author's statuses pulled from now on. The caller must hold the claim on feeds: everything placed so far has a lower id. */
export const pullAuthor = async (tx: Tx<StatusesTables>, accountId: string, now: number): Promise<void> => {
  await sql`
    insert into pulled_author (account_id, since_id)
    select id, greatest(last_status_id, ${idAtTime(now + MAX_SKEW)}::bigint) from account where id = ${accountId}
    on conflict do nothing`.execute(tx)
}

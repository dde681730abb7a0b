import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { DeliveryResult } from '../database/tables/other-servers.ts'

/** A delivery that waits. */
export type Waiting = {
  id: string
  activityId: string
  inbox: string
  attempts: number
  createdAt: Date
  senderId: string
  payload: Buffer
  isForFollowers: boolean
}

/** How many deliveries are read at once: their payloads may have a megabyte each. */
export const BATCH = 10

type Readable = { domain: string; isOnlyEndsOfFollows: boolean }

/** The next deliveries of a host, in order; of ends of follows alone, where only those may be sent. */
export const readWaiting = prepared('deliveries.waiting', ({ domain, isOnlyEndsOfFollows }: Readable) =>
  query
    .selectFrom('delivery')
    .innerJoin('outboundActivity', 'outboundActivity.id', 'delivery.activityId')
    .select([
      'delivery.id',
      'delivery.activityId',
      'delivery.inbox',
      'delivery.attempts',
      'delivery.createdAt',
      'outboundActivity.senderId',
      'outboundActivity.payload',
      'outboundActivity.isForFollowers',
    ])
    .where('delivery.domain', '=', domain)
    .where('delivery.doneAt', 'is', null)
    .where(sql<boolean>`(outbound_activity.ends_follow or not ${isOnlyEndsOfFollows}::boolean)`)
    .orderBy('delivery.id')
    .limit(sql.lit(BATCH)),
)

export const hasWaiting = prepared('deliveries.has-waiting', ({ domain }: { domain: string }) =>
  query.selectFrom('delivery').select('id').where('domain', '=', domain).where('doneAt', 'is', null).orderBy('id').limit(sql.lit(1)),
)

type Ended = { id: string; result: DeliveryResult; now: Date }

export const endDelivery = prepared(
  'deliveries.end',
  ({ id, result, now }: Ended) => sql`update delivery set done_at = ${now}, result = ${result}, attempts = attempts + 1 where id = ${id}`,
)

export const countAttempt = prepared(
  'deliveries.count-attempt',
  ({ id }: { id: string }) => sql`update delivery set attempts = attempts + 1 where id = ${id}`,
)

/** Ends what waits for a host and is older than `before`, all of it when that is now. */
export const endWaiting = prepared(
  'deliveries.end-waiting',
  (given: { domain: string; before: Date; result: DeliveryResult; now: Date }) =>
    sql<{ id: string }>`
    update delivery set done_at = ${given.now}, result = ${given.result}
    where domain = ${given.domain} and done_at is null and created_at <= ${given.before} returning id`,
)

/** Ends what waits for a host that staff suspended, all but what ends follows. */
export const endBlocked = prepared(
  'deliveries.end-blocked',
  ({ domain, now }: { domain: string; now: Date }) =>
    sql<{ id: string }>`
    update delivery set done_at = ${now}, result = 'blocked' where domain = ${domain} and done_at is null
      and not (select ends_follow from outbound_activity where outbound_activity.id = activity_id) returning id`,
)

/** The inboxes of accounts: shared ones where there are, each once; of those who are not gone. */
export const readInboxes = prepared(
  'deliveries.inboxes',
  ({ accountIds }: { accountIds: readonly string[] }) =>
    sql<{ inbox: string }>`
    select distinct case when shared_inbox = '' then inbox else shared_inbox end inbox
    from remote_actor where account_id = any(${accountIds}::bigint[]) and gone_at is null`,
)

type Outbound = { id: string; senderId: string; payload: Buffer; isForFollowers: boolean; endsFollow: boolean; now: Date }

/** Keeps what is delivered; a repeat keeps what is there. */
export const addOutbound = async (tx: Tx<FederationTables>, { now, ...activity }: Outbound): Promise<void> => {
  await tx
    .insertInto('outboundActivity')
    .values({ ...activity, createdAt: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Adds deliveries that are not there yet. Answers with the hosts of those that were added. */
export const addDeliveries = async (
  tx: Tx<FederationTables>,
  given: { activityId: string; inboxes: readonly { inbox: string; domain: string }[]; now: Date },
): Promise<string[]> => {
  const { activityId, inboxes, now } = given
  const { rows } = await sql<{ domain: string }>`
    with added as (
      insert into delivery (activity_id, inbox, domain, created_at)
      select ${activityId}, added.inbox, added.domain, ${now}
      from unnest(${inboxes.map(({ inbox }) => inbox)}::text[], ${inboxes.map(({ domain }) => domain)}::text[]) as added (inbox, domain)
      on conflict do nothing returning domain)
    select distinct domain from added`.execute(tx)
  return rows.map(({ domain }) => domain)
}

/** Notes that people with this inbox of their own are gone. */
export const endInbox = prepared(
  'deliveries.end-inbox',
  ({ inbox, domain, now }: { inbox: string; domain: string; now: Date }) =>
    sql`update remote_actor set gone_at = ${now} where domain = ${domain} and inbox = ${inbox} and shared_inbox <> ${inbox}`,
)

/** Deliveries that wait, the age of the oldest of them in seconds, and of the oldest that waits for a host that does not fail. */
export const readBacklog = prepared(
  'deliveries.backlog',
  ({ now }: { now: Date }) =>
    sql<{ waiting: number; oldest: number; due: number }>`
    select count(*)::int waiting, coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0)::float oldest,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at) filter (where host.failing_since is null)), 0)::float due
    from delivery left join host on host.domain = delivery.domain where done_at is null`,
)

/** Forgets payloads of before, with their deliveries, some at a time. */
export const pruneOutbound = prepared(
  'deliveries.prune',
  ({ before }: { before: Date }) =>
    sql<{ id: string }>`
    delete from outbound_activity where id = any(array(
      select id from outbound_activity where created_at < ${before} order by created_at limit 1000)) returning id`,
)

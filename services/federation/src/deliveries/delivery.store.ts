import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { DeliveryResult } from '../database/tables/other-servers.ts'

/** A pending delivery. */
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

/** Deliveries per read: their payloads may have a megabyte each. */
export const BATCH = 10

type Readable = { domain: string; isOnlyEndsOfFollows: boolean }

/** The next deliveries of a host, in order; only the ends of follows if nothing else may be sent. */
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

/** Ends the pending deliveries of a host that were created at or before `before`. */
export const endWaiting = prepared(
  'deliveries.end-waiting',
  (given: { domain: string; before: Date; result: DeliveryResult; now: Date }) =>
    sql<{ id: string }>`
    update delivery set done_at = ${given.now}, result = ${given.result}
    where domain = ${given.domain} and done_at is null and created_at <= ${given.before} returning id`,
)

/** Ends the pending deliveries of a host that staff suspended, except the ends of follows. */
export const endBlocked = prepared(
  'deliveries.end-blocked',
  ({ domain, now }: { domain: string; now: Date }) =>
    sql<{ id: string }>`
    update delivery set done_at = ${now}, result = 'blocked' where domain = ${domain} and done_at is null
      and not (select ends_follow from outbound_activity where outbound_activity.id = activity_id) returning id`,
)

/** The inboxes of accounts that are not gone, shared ones where available, each once. */
export const readInboxes = prepared(
  'deliveries.inboxes',
  ({ accountIds }: { accountIds: readonly string[] }) =>
    sql<{ inbox: string }>`
    select distinct case when shared_inbox = '' then inbox else shared_inbox end inbox
    from remote_actor where account_id = any(${accountIds}::bigint[]) and gone_at is null`,
)

type Outbound = { id: string; senderId: string; payload: Buffer; isForFollowers: boolean; endsFollow: boolean; now: Date }

/** Stores a payload; a repeat changes nothing. */
export const addOutbound = async (tx: Tx<FederationTables>, { now, ...activity }: Outbound): Promise<void> => {
  await tx
    .insertInto('outboundActivity')
    .values({ ...activity, createdAt: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Adds deliveries that do not exist yet. Returns the hosts of the added ones. */
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

/** Marks the actors with this personal inbox as gone. */
export const endInbox = prepared(
  'deliveries.end-inbox',
  ({ inbox, domain, now }: { inbox: string; domain: string; now: Date }) =>
    sql`update remote_actor set gone_at = ${now} where domain = ${domain} and inbox = ${inbox} and shared_inbox <> ${inbox}`,
)

/** The number of pending deliveries, the age of the oldest in seconds, and that of the oldest whose host is not failing. */
export const readBacklog = prepared(
  'deliveries.backlog',
  ({ now }: { now: Date }) =>
    sql<{ waiting: number; oldest: number; due: number }>`
    select count(*)::int waiting, coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0)::float oldest,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at) filter (where host.failing_since is null)), 0)::float due
    from delivery left join host on host.domain = delivery.domain where done_at is null`,
)

/** Deletes up to 1000 payloads from before a time, with their deliveries. */
export const pruneOutbound = prepared(
  'deliveries.prune',
  ({ before }: { before: Date }) =>
    sql<{ id: string }>`
    delete from outbound_activity where id = any(array(
      select id from outbound_activity where created_at < ${before} order by created_at limit 1000)) returning id`,
)

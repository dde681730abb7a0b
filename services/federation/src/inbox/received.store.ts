import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'

/** An activity that waits to be worked. */
export type Received = {
  sequence: string
  id: string
  actorUri: string
  inboxOf: string
  body: string
  receivedAt: Date
  attempts: number
  nextTryAt: Date | null
}

type New = { id: string; actorUri: string; inboxOf: string; body: string; receivedAt: Date }

/** Keeps an activity; false when its id was received from this actor before. */
export const addReceived = async (tx: Tx<FederationTables>, activity: New): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('receivedActivity')
    .values({ ...activity, nextTryAt: null, doneAt: null, failedAt: null, error: null })
    .onConflict((conflict) => conflict.columns(['id', 'actorUri']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The next activities of an actor, in order. */
export const readReceived = prepared('received.waiting', ({ actorUri }: { actorUri: string }) =>
  query
    .selectFrom('receivedActivity')
    .select(['sequence', 'id', 'actorUri', 'inboxOf', 'body', 'receivedAt', 'attempts', 'nextTryAt'])
    .where('actorUri', '=', actorUri)
    .where('doneAt', 'is', null)
    .where('failedAt', 'is', null)
    .orderBy('sequence')
    .limit(sql.lit(10)),
)

export const endReceived = prepared(
  'received.end',
  ({ sequence, now, error }: { sequence: string; now: Date; error: string | null }) =>
    sql`update received_activity set done_at = ${now}, body = '', error = ${error} where sequence = ${sequence}`,
)

export const failReceived = prepared(
  'received.fail',
  ({ sequence, now, error }: { sequence: string; now: Date; error: string }) =>
    sql`update received_activity set failed_at = ${now}, error = ${error}, attempts = attempts + 1 where sequence = ${sequence}`,
)

export const putOffReceived = prepared(
  'received.put-off',
  (given: { sequence: string; nextTryAt: Date; error: string }) =>
    sql`
    update received_activity set attempts = attempts + 1, next_try_at = ${given.nextTryAt}, error = ${given.error}
    where sequence = ${given.sequence}`,
)

/** Takes the activities of an actor until a time, when no other job has them. */
export const claimActor = prepared(
  'received.claim-actor',
  (given: { uri: string; now: Date; until: Date }) =>
    sql<{ uri: string }>`
    update remote_actor set working_until = ${given.until}
    where uri = ${given.uri} and (working_until is null or working_until <= ${given.now}) returning uri`,
)

/** Keeps them for longer; null gives them back. */
export const holdActor = prepared(
  'received.hold-actor',
  ({ uri, until }: { uri: string; until: Date | null }) => sql`update remote_actor set working_until = ${until} where uri = ${uri}`,
)

export const readHeldUntil = prepared('received.held-until', ({ uri }: { uri: string }) =>
  query.selectFrom('remoteActor').select('workingUntil').where('uri', '=', uri),
)

/** Activities that wait, and the age in seconds of the oldest that is neither tried nor behind one that failed. */
export const readUnworked = prepared(
  'received.unworked',
  ({ now }: { now: Date }) =>
    sql<{ waiting: number; oldest: number }>`
    select coalesce(sum(waiting), 0)::int waiting,
      coalesce(extract(epoch from ${now}::timestamptz - min(oldest) filter (where attempts = 0)), 0)::float oldest
    from (
      select count(*) waiting, min(received_at) oldest, max(attempts) attempts
      from received_activity where done_at is null and failed_at is null group by actor_uri) by_actor`,
)

/** Forgets activities received before, some at a time: what is older than signatures may be comes no second time. */
export const pruneReceived = prepared(
  'received.prune',
  ({ done, failed }: { done: Date; failed: Date }) =>
    sql<{ sequence: string }>`
    delete from received_activity where sequence = any(array(
      select sequence from received_activity
      where received_at < ${done} and (done_at is not null or received_at < ${failed}) order by received_at limit 1000))
    returning sequence`,
)

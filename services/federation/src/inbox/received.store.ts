import { prepared, sharedQuery } from '@rookery/database'
import { addingJobs } from '@rookery/jobs'
import { sql } from 'kysely'
import { type ActorRow, actorColumns } from '../actors/index.ts'
import { query } from '../database/query.ts'
import { KEYS, SYNCHRONISE_FOLLOWERS, WORK_ACTIVITIES } from './job-names.ts'

/** Activities of an actor per read: each may have a megabyte. */
export const AT_ONCE = 10

/** A pending activity. */
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

/** Columns of the activities to store, in the order of arrival. */
type New = {
  ids: readonly string[]
  actorUris: readonly string[]
  inboxesOf: readonly string[]
  bodies: readonly string[]
  /** The names of the servers that sent them. */
  peers: readonly string[]
  /** JSON payloads of the jobs that compare followers, or null (FEP-8fcf). */
  comparisons: readonly (string | null)[]
  now: Date
}

/**
 * Stores activities, their processing jobs and the peers that sent them; returns those that were not received from their actor before. It
 * is one statement, so that no stored activity lacks its job.
 */
export const addReceived = prepared('received.add', (given: New) => {
  const columns = sql`${given.ids}::text[], ${given.actorUris}::text[], ${given.inboxesOf}::text[], ${given.bodies}::text[],
    ${given.peers}::text[], ${given.comparisons}::text[]`
  const worked = sql`(select json_build_object('actorUri', actor_uri) payload, ${sql.lit(KEYS.work)} || actor_uri as key
    from (select distinct actor_uri from arrived) actor order by key)`
  const compared = sql`(select distinct on (key) comparison::json payload, ${sql.lit(KEYS.synchronise)} || actor_uri as key
    from arrived where comparison is not null order by key, turn desc)`
  return sql<{ id: string; actorUri: string }>`
    with given as materialized (
      select * from unnest(${columns}) with ordinality given (id, actor_uri, inbox_of, body, peer, comparison, turn)),
    added as (
      insert into received_activity (id, actor_uri, inbox_of, body, received_at)
      select id, actor_uri, inbox_of, body, ${given.now}::timestamptz from given order by turn
      on conflict (id, actor_uri) do nothing returning id, actor_uri),
    arrived as materialized (select actor_uri, peer, comparison, turn from given join added using (id, actor_uri)),
    met as (
      insert into peer (domain, first_seen_at) select distinct peer, ${given.now}::timestamptz from arrived
      where not exists (select 1 from peer known where known.domain = arrived.peer) order by peer on conflict do nothing),
    worked as materialized (${addingJobs('federation', WORK_ACTIVITIES, worked)}),
    compared as materialized (${addingJobs('federation', SYNCHRONISE_FOLLOWERS, compared)})
    select id, actor_uri, (select count(*) from worked) + (select count(*) from compared) jobs from added`
})

/** The next pending activities of an actor, in order. */
export const readReceived = sharedQuery('received.waiting', { actorUri: 'text' }, ({ actorUri }: { actorUri: string }) =>
  query
    .selectFrom('receivedActivity')
    .select(['sequence', 'id', 'actorUri', 'inboxOf', 'body', 'receivedAt', 'attempts', 'nextTryAt'])
    .where('actorUri', '=', actorUri)
    .where('doneAt', 'is', null)
    .where('failedAt', 'is', null)
    .orderBy('sequence')
    .limit(sql.lit(AT_ONCE)),
)

/** Whether an actor has pending activities. */
export const readIsWaiting = sharedQuery(
  'received.is-waiting',
  { actorUri: 'text' },
  ({ actorUri }: { actorUri: string }) => sql<{ isWaiting: boolean }>`
    select exists (select 1 from received_activity where actor_uri = ${actorUri} and done_at is null and failed_at is null offset 0) is_waiting`,
)

/** Marks activities as done, each of a different actor; returns those actors, reread because processing may have changed them. */
export const endReceived = prepared(
  'received.end',
  (given: { sequences: readonly string[]; actorUris: readonly string[]; errors: readonly (string | null)[]; now: Date }) => sql<ActorRow>`
    with ended as (
      update received_activity set done_at = ${given.now}, body = '', error = given.error
      from unnest(${given.sequences}::bigint[], ${given.errors}::text[]) given (sequence, error)
      where received_activity.sequence = given.sequence)
    select ${actorColumns} from remote_actor where uri = any(${given.actorUris}::text[])`,
)

/** Whether an activity was received and processed. */
export const readHasArrived = prepared(
  'received.has-arrived',
  ({ id, actorUri }: { id: string; actorUri: string }) => sql<{ hasArrived: boolean }>`
    select exists (select 1 from received_activity where id = ${id} and actor_uri = ${actorUri} and done_at is not null) has_arrived`,
)

/** Deletes a processed activity, so that it counts as new when it arrives again. */
export const forgetReceived = prepared(
  'received.forget',
  ({ id, actorUri }: { id: string; actorUri: string }) =>
    sql`delete from received_activity where id = ${id} and actor_uri = ${actorUri} and done_at is not null`,
)

/** Marks an activity as failed; returns its actor, reread. */
export const failReceived = prepared(
  'received.fail',
  (given: { sequence: string; actorUri: string; now: Date; error: string }) => sql<ActorRow>`
    with failed as (
      update received_activity set failed_at = ${given.now}, error = ${given.error}, attempts = attempts + 1 where sequence = ${given.sequence})
    select ${actorColumns} from remote_actor where uri = ${given.actorUri}`,
)

export const putOffReceived = prepared(
  'received.put-off',
  (given: { sequence: string; nextTryAt: Date; error: string }) =>
    sql`
    update received_activity set attempts = attempts + 1, next_try_at = ${given.nextTryAt}, error = ${given.error}
    where sequence = ${given.sequence}`,
)

/** Takes the lease on the activities of actors; returns the actors for which no other job holds it. */
export const claimActors = prepared(
  'received.claim-actors',
  (given: { uris: readonly string[]; now: Date; until: Date }) => sql<ActorRow>`
    update remote_actor set working_until = ${given.until}
    where uri = any(${given.uris}::text[]) and (working_until is null or working_until <= ${given.now}) returning ${actorColumns}`,
)

/** Renews the leases; null releases them. */
export const holdActors = prepared(
  'received.hold-actors',
  ({ uris, until }: { uris: readonly string[]; until: Date | null }) =>
    sql`update remote_actor set working_until = ${until} where uri = any(${uris}::text[])`,
)

export const readHeldUntil = prepared('received.held-until', ({ uri }: { uri: string }) =>
  query.selectFrom('remoteActor').select('workingUntil').where('uri', '=', uri),
)

/** The number of pending activities, and the age in seconds of the oldest of an actor without failed attempts. */
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

/** Deletes up to 1000 old activities. Their signatures have expired, so they cannot be replayed. */
export const pruneReceived = prepared(
  'received.prune',
  ({ done, failed }: { done: Date; failed: Date }) =>
    sql<{ sequence: string }>`
    delete from received_activity where sequence = any(array(
      select sequence from received_activity
      where received_at < ${done} and (done_at is not null or received_at < ${failed}) order by received_at limit 1000))
    returning sequence`,
)

import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import { actorOf } from '../actors/index.ts'
import { DocumentError, type JsonObject, type OnActivity, type RemoteActor } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { together } from '../database/together.ts'
import { LEASE, withLease } from '../lease.ts'
import { untilEmpty } from '../until-empty.ts'
import { followTakenBack, uriOf } from './activity.rules.ts'
import type { InboxCounts } from './inbox.metrics.ts'
import { keyOfActor, WORK_ACTIVITIES } from './job-names.ts'
import {
  AT_ONCE,
  claimActors,
  endReceived,
  failReceived,
  forgetReceived,
  holdActors,
  putOffReceived,
  type Received,
  readHasArrived,
  readHeldUntil,
  readIsWaiting,
  readReceived,
} from './received.store.ts'

type Deps = {
  database: Database<FederationTables>
  onActivity: OnActivity
  counts: InboxCounts
  clock: Clock
  log: Logger
}

/** Timeout for one activity, in milliseconds; fetches within it have their own. */
const MAX_WORK = 60_000
/** Attempts before an activity is marked as failed. */
const MAX_ATTEMPTS = 6
const FIRST_WAIT = 15_000

/** Whether a failure is permanent: statuses refuses the activity, or a fetch would fail again. */
const isFinal = (error: unknown): boolean =>
  (error instanceof Failure && ['malformed', 'invalid', 'not_found', 'forbidden', 'conflict'].includes(error.kind)) ||
  (error instanceof DocumentError && !error.mayPass)

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)

const workLater = ({ database }: Pick<Deps, 'database'>, actorUri: string, runAt: Date): Promise<void> =>
  transact(database.db, (tx) => addJob(tx, 'federation', WORK_ACTIVITIES, { actorUri }, { runAt, key: keyOfActor(actorUri) }))

/** Writes that concurrent jobs share, each job for its own actor. */
const writesOf = ({ database, clock }: Pick<Deps, 'database' | 'clock'>) => {
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)
  const byUri = (actors: readonly RemoteActor[]) => new Map(actors.map((actor) => [actor.uri, actor]))
  return {
    /** Takes the lease on an actor's activities; undefined if another job holds it or the actor is deleted. */
    claim: together<{ actorUri: string }, RemoteActor | undefined>(async (claims) => {
      const uris = claims.map(({ actorUri }) => actorUri)
      const claimed = byUri((await claimActors(database, { uris, now: date(0), until: date(LEASE) })).map(actorOf))
      // If two jobs claim the same actor, only one gets it.
      const take = (uri: string) => {
        const actor = claimed.get(uri)
        claimed.delete(uri)
        return actor
      }
      return new Map(claims.map((claim) => [claim, take(claim.actorUri)]))
    }),
    /** Marks an activity as done; resolves to the reread actor, undefined if deleted. */
    end: together<Ended, RemoteActor | undefined>(async (ended) => {
      const [sequences, actorUris] = [ended.map(({ sequence }) => sequence), ended.map(({ actorUri }) => actorUri)]
      const errors = ended.map(({ error }) => error)
      const actors = byUri((await endReceived(database, { sequences, actorUris, errors, now: date(0) })).map(actorOf))
      return new Map(ended.map((each) => [each, actors.get(each.actorUri)]))
    }),
    /** Releases the lease on an actor's activities. */
    release: together<{ actorUri: string }, void>(async (released) => {
      await holdActors(database, { uris: released.map(({ actorUri }) => actorUri), until: null })
      return new Map()
    }),
  }
}

type Ended = { sequence: string; actorUri: string; error: string | null }
type Writes = ReturnType<typeof writesOf>

/** The outcome of an attempt: whether to go on with the next activity, and its actor, reread. */
type Outcome = { mayGoOn: false } | { mayGoOn: true; actor: RemoteActor | undefined }

const work = async ({ database, onActivity }: Deps, signer: RemoteActor, received: Received): Promise<void> => {
  const { body, inboxOf, receivedAt, attempts } = received
  const activity = JSON.parse(body) as JsonObject
  const isForwarded = uriOf(activity['actor']) !== signer.uri
  const signal = AbortSignal.timeout(MAX_WORK)
  const hasArrived = async (id: string) => (await readHasArrived(database, { id, actorUri: signer.uri }))[0]?.hasArrived ?? false
  await onActivity(activity, signer, { receivedAt, inboxOf, attempt: attempts, isForwarded, signal, hasArrived })
  const id = followTakenBack(activity)
  if (id) await forgetReceived(database, { id, actorUri: signer.uri })
}

/** Records a failure, and schedules a retry unless it is final. */
const noteFailure = async (deps: Deps, writes: Writes, given: Received & { failure: unknown }): Promise<Outcome> => {
  const { database, counts, clock, log } = deps
  const { id, sequence, actorUri, attempts, failure } = given
  const text = textOf(failure)
  if (isFinal(failure)) {
    counts.refused++
    return { mayGoOn: true, actor: await writes.end({ sequence, actorUri, error: text }) }
  }
  if (attempts + 1 >= MAX_ATTEMPTS) {
    counts.failed++
    log.warn({ err: failure, activity: id }, 'working an activity failed for the last time')
    const [row] = await failReceived(database, { sequence, actorUri, now: new Date(clock.now()), error: text })
    return { mayGoOn: true, actor: row && actorOf(row) }
  }
  counts.retried++
  const at = new Date(clock.now() + FIRST_WAIT * 4 ** attempts * (1 + Math.random() / 4))
  await putOffReceived(database, { sequence, nextTryAt: at, error: text })
  await workLater(deps, actorUri, at)
  return { mayGoOn: false }
}

/** Processes an activity; if its actor is deleted, only marks it as done. */
const workOne = async (deps: Deps, writes: Writes, signer: RemoteActor | undefined, received: Received): Promise<Outcome> => {
  const { actorUri, nextTryAt, sequence } = received
  if (nextTryAt && nextTryAt.getTime() > deps.clock.now()) {
    await workLater(deps, actorUri, nextTryAt)
    return { mayGoOn: false }
  }
  try {
    if (signer) await work(deps, signer, received)
    deps.counts.worked++
    return { mayGoOn: true, actor: await writes.end({ sequence, actorUri, error: null }) }
  } catch (failure) {
    return noteFailure(deps, writes, { ...received, failure })
  }
}

/**
 * Processes the activities of one actor in the order of arrival. A failing one is retried while those behind it wait, and is marked as
 * failed for the operator after the last attempt. One job at a time holds the lease on an actor; if its process is killed, the next one
 * continues after the lease expires and processes the interrupted activity again.
 */
export const workActivities = (deps: Deps): Job => {
  const { database, clock } = deps
  const writes = writesOf(deps)
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)
  const workAll = async (claimed: RemoteActor, signal: AbortSignal): Promise<boolean> => {
    let actor: RemoteActor | undefined = claimed
    const readNext = () => readReceived(database, { actorUri: claimed.uri })
    for await (const received of untilEmpty(readNext, signal, AT_ONCE)) {
      const outcome = await workOne(deps, writes, actor, received)
      if (!outcome.mayGoOn) return false
      actor = outcome.actor
    }
    return true
  }
  return job<{ actorUri: string }>({
    name: WORK_ACTIVITIES,
    async run({ actorUri }, signal) {
      const claimed = await writes.claim({ actorUri })
      if (!claimed) {
        const [actor] = await readHeldUntil(database, { uri: actorUri })
        // A deleted actor has no activities to process.
        return actor && workLater(deps, actorUri, actor.workingUntil ?? date(LEASE))
      }
      const hold = (until: Date | null) => (until ? holdActors(database, { uris: [actorUri], until }) : writes.release({ actorUri }))
      const mayGoOn = await withLease({ clock, hold, signal }, (signal) => workAll(claimed, signal))
      // Checked after the release: the job of an activity that arrived before it may have found the lease taken.
      if (mayGoOn && (await readIsWaiting(database, { actorUri }))[0]?.isWaiting) await workLater(deps, actorUri, date(0))
    },
  })
}

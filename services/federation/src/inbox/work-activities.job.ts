import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import type { Signers } from '../actors/index.ts'
import { type Actors, DocumentError, type JsonObject, type OnActivity } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { LEASE, withLease } from '../lease.ts'
import { untilEmpty } from '../until-empty.ts'
import { uriOf } from './activity.rules.ts'
import type { InboxCounts } from './inbox.metrics.ts'
import { keyOfActor, WORK_ACTIVITIES } from './receive.ts'
import {
  claimActor,
  endReceived,
  failReceived,
  holdActor,
  putOffReceived,
  type Received,
  readHeldUntil,
  readReceived,
} from './received.store.ts'

type Deps = {
  database: Database<FederationTables>
  actors: Pick<Actors, 'knownByUris'> & Signers
  onActivity: OnActivity
  counts: InboxCounts
  clock: Clock
  log: Logger
}

/** How long one activity may take, in milliseconds: fetches within it are bounded by themselves. */
const MAX_WORK = 60_000
/** Attempts at an activity before it is filed. */
const MAX_ATTEMPTS = 6
const FIRST_WAIT = 15_000

/** What a failure means for the activity: statuses refuses it for good, or something was in the way. */
const isFinal = (error: unknown): boolean =>
  (error instanceof Failure && ['malformed', 'invalid', 'not_found', 'forbidden', 'conflict'].includes(error.kind)) ||
  (error instanceof DocumentError && !error.mayPass)

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)

const workLater = ({ database }: Pick<Deps, 'database'>, actorUri: string, runAt: Date): Promise<void> =>
  transact(database.db, (tx) => addJob(tx, 'federation', WORK_ACTIVITIES, { actorUri }, { runAt, key: keyOfActor(actorUri) }))

const work = async ({ actors, onActivity }: Deps, { body, actorUri, inboxOf, receivedAt, attempts }: Received): Promise<void> => {
  const activity = JSON.parse(body) as JsonObject
  const [signer] = await actors.knownByUris([actorUri])
  if (!signer) return
  const isForwarded = uriOf(activity['actor']) !== actorUri
  const signal = AbortSignal.timeout(MAX_WORK)
  await onActivity(activity, signer, { receivedAt, inboxOf, attempt: attempts, isForwarded, signal })
}

/** Writes down that an activity failed. Returns whether the next one may be worked. */
const noteFailure = async (deps: Deps, { id, sequence, actorUri, attempts }: Received, error: unknown): Promise<boolean> => {
  const { database, counts, clock, log } = deps
  const [now, text] = [new Date(clock.now()), textOf(error)]
  if (isFinal(error)) {
    counts.refused++
    await endReceived(database, { sequence, now, error: text })
    return true
  }
  if (attempts + 1 >= MAX_ATTEMPTS) {
    counts.failed++
    log.warn({ err: error, activity: id }, 'working an activity failed for the last time')
    await failReceived(database, { sequence, now, error: text })
    return true
  }
  counts.retried++
  const at = new Date(clock.now() + FIRST_WAIT * 4 ** attempts * (1 + Math.random() / 4))
  await putOffReceived(database, { sequence, nextTryAt: at, error: text })
  await workLater(deps, actorUri, at)
  return false
}

/** Returns whether the next activity may be worked. */
const workOne = async (deps: Deps, received: Received): Promise<boolean> => {
  const { actorUri, nextTryAt, sequence } = received
  if (nextTryAt && nextTryAt.getTime() > deps.clock.now()) {
    await workLater(deps, actorUri, nextTryAt)
    return false
  }
  try {
    await work(deps, received)
    deps.counts.worked++
    await endReceived(deps.database, { sequence, now: new Date(deps.clock.now()), error: null })
    return true
  } catch (error) {
    return noteFailure(deps, received, error)
  }
}

/**
 * Works the activities of one actor, in the order they came. One that fails is tried again, and those behind it wait; after the last attempt
 * it is filed for the operator. One job at a time has an actor; when its process is killed, the next one goes on after its lease, and an
 * activity under way is worked again.
 */
export const workActivities = (deps: Deps): Job => {
  const { database, clock } = deps
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)

  const workAll = async (actorUri: string, signal: AbortSignal): Promise<boolean> => {
    for await (const received of untilEmpty(() => readReceived(database, { actorUri }), signal)) {
      if (!(await workOne(deps, received))) return false
    }
    return true
  }

  return job<{ actorUri: string }>({
    name: WORK_ACTIVITIES,
    async run({ actorUri }, signal) {
      const [claimed] = await claimActor(database, { uri: actorUri, now: date(0), until: date(LEASE) })
      if (!claimed) {
        const [actor] = await readHeldUntil(database, { uri: actorUri })
        // An actor who is gone has nothing more to say.
        return actor && workLater(deps, actorUri, actor.workingUntil ?? date(LEASE))
      }
      const hold = (until: Date | null) => holdActor(database, { uri: actorUri, until })
      const mayGoOn = await withLease({ clock, hold, signal }, (signal) => workAll(actorUri, signal))
      if (mayGoOn && (await readReceived(database, { actorUri })).length > 0) await workLater(deps, actorUri, date(0))
    },
  })
}

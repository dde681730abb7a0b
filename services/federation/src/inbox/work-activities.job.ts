import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import type { KeyOwners } from '../actors/index.ts'
import { type Actors, DocumentError, type JsonObject, type OnActivity } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { LEASE, withLease } from '../lease.ts'
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
  actors: Pick<Actors, 'knownByUris'> & KeyOwners
  onActivity: OnActivity
  counts: InboxCounts
  clock: Clock
  log: Logger
}

/** How long one activity may take, in milliseconds: fetches within it are bounded by themselves. */
const MAX_WORK = 60_000
const MAX_RUN = 60_000
/** Attempts at an activity before it is filed. */
const MAX_ATTEMPTS = 6
const FIRST_WAIT = 15_000

/** What a failure means for the activity: statuses refuses it for good, or something was in the way. */
const isFinal = (error: unknown): boolean =>
  (error instanceof Failure && ['malformed', 'invalid', 'not_found', 'forbidden', 'conflict'].includes(error.kind)) ||
  (error instanceof DocumentError && !error.mayPass)

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)

/**
 * Works the activities of one actor, in the order they came. One that fails is tried again, and those behind it wait; after the last attempt
 * it is filed for the operator. One job at a time has an actor; when its process is killed, the next one goes on after its lease, and an
 * activity under way is worked again.
 */
export const workActivities = (deps: Deps): Job => {
  const { database, actors, counts, clock, log } = deps
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)

  const workLater = (actorUri: string, runAt: Date) =>
    transact(database.db, (tx) => addJob(tx, 'federation', WORK_ACTIVITIES, { actorUri }, { runAt, key: keyOfActor(actorUri) }))

  const work = async ({ body, actorUri, inboxOf, receivedAt, attempts }: Received): Promise<void> => {
    const activity = JSON.parse(body) as JsonObject
    const [signer] = await actors.knownByUris([actorUri])
    if (!signer) return
    const isForwarded = uriOf(activity['actor']) !== actorUri
    const signal = AbortSignal.timeout(MAX_WORK)
    await deps.onActivity(activity, signer, { receivedAt, inboxOf, attempt: attempts, isForwarded, signal })
  }

  /** Whether the next activity may be worked. */
  const workOne = async (received: Received): Promise<boolean> => {
    const { sequence, actorUri, attempts } = received
    try {
      await work(received)
      counts.worked++
      await endReceived(database, { sequence, now: date(0), error: null })
      return true
    } catch (error) {
      const text = textOf(error)
      if (isFinal(error)) {
        counts.refused++
        await endReceived(database, { sequence, now: date(0), error: text })
        return true
      }
      if (attempts + 1 >= MAX_ATTEMPTS) {
        counts.failed++
        log.warn({ err: error, activity: received.id }, 'working an activity failed for the last time')
        await failReceived(database, { sequence, now: date(0), error: text })
        return true
      }
      counts.retried++
      const at = date(FIRST_WAIT * 4 ** attempts * (1 + Math.random() / 4))
      await putOffReceived(database, { sequence, nextTryAt: at, error: text })
      await workLater(actorUri, at)
      return false
    }
  }

  const workAll = async (actorUri: string, signal: AbortSignal): Promise<boolean> => {
    const end = performance.now() + MAX_RUN
    for (;;) {
      const batch = await readReceived(database, { actorUri })
      for (const received of batch) {
        if (signal.aborted || performance.now() > end) return true
        if (received.nextTryAt && received.nextTryAt.getTime() > clock.now()) {
          await workLater(actorUri, received.nextTryAt)
          return false
        }
        if (!(await workOne(received))) return false
      }
      if (batch.length === 0) return true
    }
  }

  return job<{ actorUri: string }>({
    name: WORK_ACTIVITIES,
    async run({ actorUri }, signal) {
      const [claimed] = await claimActor(database, { uri: actorUri, now: date(0), until: date(LEASE) })
      if (!claimed) {
        const [actor] = await readHeldUntil(database, { uri: actorUri })
        // An actor who is gone has nothing more to say.
        return actor && workLater(actorUri, actor.workingUntil ?? date(LEASE))
      }
      const hold = (until: Date | null) => holdActor(database, { uri: actorUri, until })
      const mayGoOn = await withLease({ clock, hold, signal }, (signal) => workAll(actorUri, signal))
      if (mayGoOn && (await readReceived(database, { actorUri })).length > 0) await workLater(actorUri, date(0))
    },
  })
}

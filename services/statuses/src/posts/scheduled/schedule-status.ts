import type { PublishRequest, ScheduleAnswer, ScheduleRequest, StatusPage } from '@rookery/contracts/statuses'
import { transact } from '@rookery/database'
import { Failure, invalid } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { storedAttachment } from '../../content/attachments/index.ts'
import {
  conflict,
  digestOf,
  draftPreparer,
  inAttempts,
  keyReservations,
  keysSince,
  type PublishDeps,
  publishStatus,
} from '../statuses/index.ts'
import { setTime } from './schedule-job.ts'
import { statusScheduled } from './scheduled.events.ts'
import { columnsOf, scheduledMessage } from './scheduled.message.ts'
import { limitFaults, refuseBeyondTime, timeFaults } from './scheduled.rules.ts'
import { type NewScheduled, ScheduledReader, ScheduledWriter } from './scheduled.store.ts'

/** A request to publish, with its time, the app that made it and the digest of its Idempotency-Key. */
type Wanted = { request: PublishRequest; at: Date | null; applicationId: string; key: string | null }

const MAX_ATTEMPTS = 5

/** Checks the limits in total and for the day. @throws Failure invalid */
const refuseTooMany = async (from: ScheduledReader, row: { id: string; accountId: string; at: Date | null }) => {
  const faults = limitFaults(await from.countOthers(row.accountId, { than: row.id, at: row.at }))
  if (faults.length > 0) throw invalid(...faults)
}

/** Writes a scheduled status with its job; false if its key or id is taken. @throws Failure invalid over the limits */
const keepScheduled = ({ database, outbox }: PublishDeps, row: NewScheduled, key: string | null, trace: string): Promise<boolean> =>
  transact(database.db, async (tx) => {
    const writer = new ScheduledWriter(tx)
    const { id, accountId, scheduledAt: at } = row
    if (key && !(await writer.takeKey({ accountId, key, id }))) return false
    await writer.holdCount(accountId)
    await refuseTooMany(writer, { id, accountId, at })
    if (!(await writer.add(row))) return false
    if (at) await setTime(tx, id, at)
    const mediaIds = row.attachments.map((attachment) => attachment.id)
    if (mediaIds.length > 0) await outbox.append(tx, [statusScheduled({ id, accountId, mediaIds })], trace)
    return true
  })

/** The scheduled or published status with an id that a key reserved; undefined if it is deleted, or another's. */
const findMade = async ({ database, views }: PublishDeps, id: string, authorId: string): Promise<ScheduleAnswer | undefined> => {
  const row = await new ScheduledReader(database.db).find(id, authorId)
  if (row) return { scheduled: scheduledMessage(row) }
  const page = await views.byIds(authorId, [id], 'direct')
  return page.statuses[0]?.accountId === authorId ? { published: page } : undefined
}

/** Schedules a status with an id reserved for its key: one attempt; undefined if the record with the id was deleted meanwhile, or is another's. */
const attemptToKeep = (deps: PublishDeps) => {
  const { database, clock } = deps
  const prepareDraft = draftPreparer(deps)
  const keys = keyReservations(deps)

  const keep = async (call: Call, { request, at, applicationId, key }: Wanted, id: string): Promise<ScheduleAnswer | undefined> => {
    const claimed = await deps.claims(call, { ownerId: request.authorId, ids: request.mediaIds, subjectId: id })
    const row: NewScheduled = {
      ...columnsOf(request),
      id,
      scheduledAt: at,
      missedAt: null,
      attachments: claimed.map(storedAttachment),
      applicationId: applicationId || null,
      createdAt: new Date(clock.now()),
    }
    return (await keepScheduled(deps, row, key, call.trace)) ? { scheduled: scheduledMessage({ ...row, version: 1 }) } : undefined
  }

  return async (call: Call, wanted: Wanted): Promise<ScheduleAnswer | undefined> => {
    const { request, at, key } = wanted
    const { authorId } = request
    const draft = await prepareDraft(request, { key, faults: at ? timeFaults(at.getTime(), clock.now()) : [] })
    if (typeof draft === 'string') return findMade(deps, draft, authorId)
    // Checked before files are claimed, so that a refusal leaves them free; checked again under the lock.
    await refuseTooMany(new ScheduledReader(database.db), { id: '0', accountId: authorId, at })
    const id = await keys.reserve(authorId, key)
    const kept = await keep(call, wanted, id).catch(async (error: unknown) => {
      await keys.release(authorId, key, id)
      throw error
    })
    const answer = kept ?? (await findMade(deps, id, authorId))
    if (!answer) await keys.release(authorId, key, id)
    return answer
  }
}

/** Publishes a status whose time has passed. @throws Failure as posting does */
const publishDue = (deps: PublishDeps) => {
  const publish = publishStatus(deps)
  return async (call: Call, { request, key }: Wanted): Promise<ScheduleAnswer> => {
    const page: StatusPage = await publish(call, request)
    if (page.items.length > 0 || !key) return { published: page }
    const row = await new ScheduledReader(deps.database.db).findByKey(request.authorId, key, keysSince(deps.clock.now()))
    if (!row) throw conflict()
    return { scheduled: scheduledMessage(row) }
  }
}

/**
 * Schedules a status, validated as if posted now, or stores a draft if there is no time; a status whose time has passed is published (spec, POST
 * /api/v1/statuses; beyond-the-spec 1.10, Scheduled and Idempotency). Its files are claimed for it. A repeated key returns what it created first,
 * whether scheduled or published.
 * @throws Failure invalid for a status that could not be posted, a time less than five minutes ahead, or over the limits; not_found for the parent
 */
export const scheduleStatus = (deps: PublishDeps) => {
  const attempt = attemptToKeep(deps)
  const publishNow = publishDue(deps)

  return async (call: Call, { status, scheduledAtMilliseconds, applicationId }: ScheduleRequest): Promise<ScheduleAnswer> => {
    if (!status) throw new Failure('malformed', 'There is nothing to schedule')
    if (scheduledAtMilliseconds !== undefined) refuseBeyondTime(scheduledAtMilliseconds)
    const at = scheduledAtMilliseconds === undefined ? null : new Date(scheduledAtMilliseconds)
    const wanted: Wanted = { request: status, at, applicationId, key: digestOf(status.idempotencyKey) }
    if (at && at.getTime() <= deps.clock.now()) return publishNow(call, wanted)
    return inAttempts(MAX_ATTEMPTS, () => attempt(call, wanted))
  }
}

import type { PublishRequest, ScheduledStatus, UpdateScheduledRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { type AttachmentClaims, storedAttachment } from '../../content/attachments/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { draftPreparer, inAttempts } from '../statuses/index.ts'
import { setTime } from './schedule-job.ts'
import { statusScheduled } from './scheduled.events.ts'
import { columnsOf, requestOf, scheduledMessage } from './scheduled.message.ts'
import { changedRequest, changesContent, limitFaults, refuseBeyondTime, timeFaults } from './scheduled.rules.ts'
import { ScheduledReader, type ScheduledRow, ScheduledWriter } from './scheduled.store.ts'

type Deps = {
  database: Database<StatusesTables>
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  outbox: Outbox
  clock: Clock
  baseUrl: string
}

const MAX_ATTEMPTS = 5

/** The requested time, null for a draft, and no missed time; both unchanged if none is requested. */
const timesOf = ({ scheduledAt, missedAt }: ScheduledRow, change: UpdateScheduledRequest) => {
  if (change.isDraft) return { scheduledAt: null, missedAt: null }
  if (change.scheduledAtMilliseconds === undefined) return { scheduledAt, missedAt }
  return { scheduledAt: new Date(change.scheduledAtMilliseconds), missedAt: null }
}

const idsOf = (attachments: readonly StoredAttachment[]) => attachments.map(({ id }) => id)

/** @throws Failure invalid over the limits, in total or for the day */
const refuseFullDay = async (from: ScheduledReader, before: ScheduledRow, at: Date | null) => {
  if (!at || at.getTime() === before.scheduledAt?.getTime()) return
  const faults = limitFaults(await from.countOthers(before.accountId, { than: before.id, at }))
  if (faults.length > 0) throw invalid(...faults)
}

/** Writes a change; false if the status was changed since it was read. */
const keepChange =
  ({ database, outbox }: Deps) =>
  (before: ScheduledRow, after: ScheduledRow, trace: string): Promise<boolean> =>
    transact(database.db, async (tx) => {
      const writer = new ScheduledWriter(tx)
      const { id, accountId } = before
      if (!(await writer.lock(before))) return false
      await writer.holdCount(accountId)
      await refuseFullDay(writer, before, after.scheduledAt)
      const { version: _version, accountId: _author, applicationId: _app, ...change } = after
      await writer.change(id, change)
      if (after.scheduledAt?.getTime() !== before.scheduledAt?.getTime()) await setTime(tx, id, after.scheduledAt)
      if (after.attachments !== before.attachments) {
        const mediaIds = idsOf(after.attachments)
        const releasedMediaIds = idsOf(before.attachments).filter((each) => !mediaIds.includes(each))
        await outbox.append(tx, [statusScheduled({ id, accountId, mediaIds, releasedMediaIds })], trace)
      }
      return true
    })

/**
 * Changes the given fields of a scheduled status, including its time (spec, PUT /api/v1/scheduled_statuses/:id). New content is validated as if
 * posted now, also if a missed status is rescheduled; removed files are released.
 * @throws Failure not_found if it is another's or deleted; invalid if it could not be scheduled like this
 */
export const updateScheduled = (deps: Deps) => {
  const { database, clock } = deps
  const prepareDraft = draftPreparer(deps)
  const reader = new ScheduledReader(database.db)
  const keep = keepChange(deps)

  /** @throws Failure invalid, not_found for the parent */
  const judge = async (change: UpdateScheduledRequest, before: ScheduledRow, request: PublishRequest) => {
    const asked = change.isDraft ? undefined : change.scheduledAtMilliseconds
    const faults = asked === undefined ? [] : timeFaults(asked, clock.now())
    const isAnotherTry = before.missedAt !== null && asked !== undefined
    if (changesContent(change) || isAnotherTry) await prepareDraft(request, { faults })
    else if (faults.length > 0) throw invalid(...faults)
  }

  /** One attempt; undefined if it was changed concurrently. */
  const attempt = async (call: Call, change: UpdateScheduledRequest): Promise<ScheduledStatus | undefined> => {
    const { id, viewerId } = change
    const before = orNotFound(await reader.find(id, viewerId), `scheduled status ${id} is not ${viewerId}'s`)
    const request = changedRequest(requestOf(before), change)
    const wanted: ScheduledRow = { ...before, ...columnsOf(request), ...timesOf(before, change) }
    await judge(change, before, request)
    await refuseFullDay(reader, before, wanted.scheduledAt)
    const claim = { ownerId: viewerId, ids: request.mediaIds, subjectId: id }
    const attachments = change.media ? (await deps.claims(call, claim)).map(storedAttachment) : before.attachments
    const after = { ...wanted, attachments }
    return (await keep(before, after, call.trace)) ? scheduledMessage(after) : undefined
  }

  return async (call: Call, change: UpdateScheduledRequest): Promise<ScheduledStatus> => {
    if (change.scheduledAtMilliseconds !== undefined) refuseBeyondTime(change.scheduledAtMilliseconds)
    return inAttempts(MAX_ATTEMPTS, () => attempt(call, change))
  }
}

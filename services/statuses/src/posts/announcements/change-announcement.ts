import {
  type ChangeAnnouncementRequest,
  type CreateAnnouncementRequest,
  type OperatorAnnouncementRequest,
  Publication,
} from '@rookery/contracts/statuses'
import { type Database, type Tx, transact, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { removeJob } from '@rookery/jobs'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import type { MentionFinder } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { announcementActed, announcementWithdrawn } from './announcement.events.ts'
import { faultsOf, stateOf } from './announcement.rules.ts'
import { AnnouncementReader, type AnnouncementRow, AnnouncementWriter } from './announcement.store.ts'
import { announcementWords } from './announcement-text.ts'
import { applySchedule, scheduleKey } from './apply-schedule.ts'

export type AnnouncementDeps = {
  database: Database<StatusesTables>
  outbox: Outbox
  clock: Clock
  findMentions: MentionFinder
  findEmojis: EmojiFinder
  baseUrl: string
}

const momentOf = (milliseconds: number | undefined) => (milliseconds === undefined ? null : new Date(milliseconds))

const refuse = (faults: readonly string[]) => {
  if (faults.length > 0) throw invalid(...faults)
}

const publishAtOf = ({ publication, startsAtMilliseconds }: CreateAnnouncementRequest, now: Date): Date | null => {
  if (publication === Publication.LATER) return null
  return publication === Publication.AT_ONCE ? now : (momentOf(startsAtMilliseconds) ?? now)
}

/** Creates an announcement, published at its start, now, or later. @throws Failure invalid for an invalid text or times */
export const createAnnouncement = (deps: AnnouncementDeps) => {
  const wordsOf = announcementWords(deps)
  const apply = applySchedule(deps)
  return async (call: Call, request: CreateAnnouncementRequest): Promise<AnnouncementRow> => {
    const now = new Date(deps.clock.now())
    const [startsAt, endsAt] = [momentOf(request.startsAtMilliseconds), momentOf(request.endsAtMilliseconds)]
    refuse(faultsOf({ text: request.text, startsAt, endsAt }, { now: now.getTime(), isEndNew: true }))
    const words = await wordsOf(request.text)
    const times = { startsAt, endsAt, allDay: request.allDay, publishAt: publishAtOf(request, now), createdAt: now, updatedAt: now }
    // A repeat with the same Idempotency-Key creates nothing.
    const id = await transactOnce(deps.database.db, { call, step: 'create-announcement' }, async (tx) => {
      const row = await new AnnouncementWriter(tx).add({ ...words, ...times })
      await deps.outbox.append(tx, announcementActed('create', request.staffId, row))
      return (await apply(tx, row, { trace: call.trace, isChanged: false })).id
    })
    return orNotFound(await new AnnouncementReader(deps.database.db).find(id), `no announcement ${id}`)
  }
}

/** The times in a change. A scheduled announcement moves with its start, and is published at once if the start is removed. */
const changedTimes = (row: AnnouncementRow, { startsAt, endsAt, allDay }: ChangeAnnouncementRequest, now: Date) => {
  const start = startsAt && momentOf(startsAt.atMilliseconds)
  const isWaiting = stateOf(row, now.getTime()) === 'scheduled'
  return {
    ...(start === undefined ? {} : { startsAt: start }),
    ...(start === undefined || !isWaiting ? {} : { publishAt: start ?? now }),
    ...(endsAt ? { endsAt: momentOf(endsAt.atMilliseconds) } : {}),
    ...(allDay === undefined ? {} : { allDay }),
  }
}

/** Changes one announcement under its lock. @throws Failure not_found */
const changing =
  ({ database }: AnnouncementDeps) =>
  (id: string, work: (tx: Tx<StatusesTables>, row: AnnouncementRow) => Promise<AnnouncementRow>): Promise<AnnouncementRow> => {
    if (!isId(id)) throw notFound(`${id} is no id`)
    return transact(database.db, async (tx) => work(tx, orNotFound(await new AnnouncementWriter(tx).lock(id), `no announcement ${id}`)))
  }

/**
 * Changes the text and times of an announcement; a published one is sent to open streams again, and an ended one is published again if its new end is
 * in the future.
 * @throws Failure not_found; invalid for an invalid text or times
 */
export const changeAnnouncement = (deps: AnnouncementDeps) => {
  const wordsOf = announcementWords(deps)
  const apply = applySchedule(deps)
  const change = changing(deps)
  return async (call: Call, request: ChangeAnnouncementRequest): Promise<AnnouncementRow> => {
    const words = request.text === undefined ? {} : await wordsOf(request.text)
    return change(request.id, async (tx, row) => {
      const now = new Date(deps.clock.now())
      const changed = { ...words, ...changedTimes(row, request, now) }
      refuse(faultsOf({ ...row, ...changed }, { now: now.getTime(), isEndNew: request.endsAt !== undefined }))
      const after = await new AnnouncementWriter(tx).change(row.id, { ...changed, updatedAt: now })
      await deps.outbox.append(tx, announcementActed('change', request.staffId, after))
      return apply(tx, after, { trace: call.trace, isChanged: true })
    })
  }
}

/** Publishes an announcement now, regardless of its start. @throws Failure not_found; invalid if it has ended */
export const publishAnnouncement = (deps: AnnouncementDeps) => {
  const apply = applySchedule(deps)
  const change = changing(deps)
  return (call: Call, { id, staffId }: OperatorAnnouncementRequest): Promise<AnnouncementRow> =>
    change(id, async (tx, row) => {
      const now = new Date(deps.clock.now())
      refuse(faultsOf(row, { now: now.getTime(), isEndNew: true }))
      const isShown = stateOf(row, now.getTime()) === 'published'
      const after = isShown ? row : await new AnnouncementWriter(tx).change(row.id, { publishAt: now })
      await deps.outbox.append(tx, announcementActed('publish', staffId, after))
      return apply(tx, after, { trace: call.trace, isChanged: false })
    })
}

/** Withdraws or unschedules an announcement. Its reactions and dismissals are kept. @throws Failure not_found */
export const withdrawAnnouncement = (deps: AnnouncementDeps) => {
  const apply = applySchedule(deps)
  const change = changing(deps)
  return (call: Call, { id, staffId }: OperatorAnnouncementRequest): Promise<AnnouncementRow> =>
    change(id, async (tx, row) => {
      await deps.outbox.append(tx, announcementActed('withdraw', staffId, row))
      return apply(tx, await new AnnouncementWriter(tx).change(row.id, { publishAt: null }), { trace: call.trace, isChanged: false })
    })
}

/** Deletes an announcement; returns it as unpublished. @throws Failure not_found */
export const deleteAnnouncement = (deps: AnnouncementDeps) => {
  const change = changing(deps)
  return (call: Call, { id, staffId }: OperatorAnnouncementRequest): Promise<AnnouncementRow> =>
    change(id, async (tx, row) => {
      await new AnnouncementWriter(tx).remove(id)
      await deps.outbox.append(tx, announcementActed('delete', staffId, row))
      await removeJob(tx, 'statuses', scheduleKey(id))
      if (row.publishedAt) await deps.outbox.append(tx, [announcementWithdrawn(id)], call.trace)
      return { ...row, publishAt: null, publishedAt: null }
    })
}

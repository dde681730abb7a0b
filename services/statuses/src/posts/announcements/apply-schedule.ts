import type { Tx } from '@rookery/database'
import type { Outbox, OutboxEvent } from '@rookery/events'
import { addJob, removeJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { announcementChanged, announcementPublished, announcementWithdrawn } from './announcement.events.ts'
import { nextMoment, stateOf } from './announcement.rules.ts'
import { type AnnouncementRow, AnnouncementWriter } from './announcement.store.ts'

/** The name of the job that publishes an announcement at its start and withdraws it at its end. */
export const APPLY_SCHEDULE = 'apply-announcement-schedule'

/** The job key: at most one pending job per announcement. */
export const scheduleKey = (id: string): string => `announcement:${id}`

const eventOf = ({ id }: AnnouncementRow, of: { wasShown: boolean; isShown: boolean; isChanged: boolean }): OutboxEvent | undefined => {
  if (of.isShown && !of.wasShown) return announcementPublished(id)
  if (!of.isShown && of.wasShown) return announcementWithdrawn(id)
  return of.isShown && of.isChanged ? announcementChanged(id) : undefined
}

/**
 * Publishes or withdraws a locked announcement if its schedule requires it now, and adds the job for the next change. Idempotent. Returns the updated
 * row. `isChanged`: whether its content changed.
 */
export const applySchedule =
  ({ outbox, clock }: { outbox: Outbox; clock: Clock }) =>
  async (tx: Tx<StatusesTables>, row: AnnouncementRow, { trace, isChanged }: { trace: string; isChanged: boolean }) => {
    const now = clock.now()
    const wasShown = row.publishedAt !== null
    const isShown = stateOf(row, now) === 'published'
    const applied =
      wasShown === isShown ? row : await new AnnouncementWriter(tx).change(row.id, { publishedAt: isShown ? new Date(now) : null })
    const event = eventOf(row, { wasShown, isShown, isChanged })
    if (event) await outbox.append(tx, [event], trace)
    const runAt = nextMoment(row, now)
    if (runAt) await addJob(tx, 'statuses', APPLY_SCHEDULE, { id: row.id }, { runAt, key: scheduleKey(row.id) })
    else await removeJob(tx, 'statuses', scheduleKey(row.id))
    return applied
  }

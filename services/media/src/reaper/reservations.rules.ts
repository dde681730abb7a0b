import type { ScheduleCancelled, StatusPublished, StatusScheduled } from '@rookery/contracts/events'

/** Events of scheduled statuses. */
export type ScheduleEvents = {
  scheduled: readonly StatusScheduled[]
  published: readonly Pick<StatusPublished, 'statusId' | 'scheduledId'>[]
  cancelled: readonly ScheduleCancelled[]
}

/** A file and the scheduled status of its owner that it is for. */
export type Reservation = { mediaId: string; subjectId: string; ownerId: string }

/** What follows for files, to be done in this order. */
type ReservationChanges = {
  dropped: Reservation[]
  kept: Reservation[]
  /** Scheduled statuses that became statuses. */
  moved: { from: string; to: string }[]
  /** Scheduled statuses that will never be one. */
  ended: string[]
}

const pairs = (scheduled: StatusScheduled, mediaIds: readonly string[]): Reservation[] =>
  mediaIds.map((mediaId) => ({ mediaId, subjectId: scheduled.scheduledId, ownerId: scheduled.accountId }))

/** The events of a batch as changes: of several about one scheduled status the last says what it will show. */
export const reservationChanges = ({ scheduled, published, cancelled }: ScheduleEvents): ReservationChanges => {
  const last = new Map(scheduled.map((event) => [event.scheduledId, event]))
  const isKept = ({ mediaId, subjectId }: Reservation) => last.get(subjectId)?.mediaIds.includes(mediaId) ?? false
  return {
    dropped: scheduled.flatMap((event) => pairs(event, [...event.mediaIds, ...event.releasedMediaIds])).filter((each) => !isKept(each)),
    kept: [...last.values()].flatMap((event) => pairs(event, event.mediaIds)),
    moved: published.flatMap(({ statusId, scheduledId }) => (scheduledId ? [{ from: scheduledId, to: statusId }] : [])),
    ended: cancelled.map(({ scheduledId }) => scheduledId),
  }
}

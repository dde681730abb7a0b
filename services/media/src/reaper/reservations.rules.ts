import type { ScheduleCancelled, StatusPublished, StatusScheduled } from '@rookery/contracts/events'

/** Events of scheduled statuses. */
export type ScheduleEvents = {
  scheduled: readonly StatusScheduled[]
  published: readonly Pick<StatusPublished, 'statusId' | 'scheduledId'>[]
  cancelled: readonly ScheduleCancelled[]
}

/** A file and its owner's scheduled status that it is reserved for. */
export type Reservation = { mediaId: string; subjectId: string; ownerId: string }

/** The resulting changes, to be made in this order. */
type ReservationChanges = {
  dropped: Reservation[]
  kept: Reservation[]
  /** Scheduled statuses that were published. */
  moved: { from: string; to: string }[]
  /** Scheduled statuses that will never be published. */
  ended: string[]
}

const pairs = (scheduled: StatusScheduled, mediaIds: readonly string[]): Reservation[] =>
  mediaIds.map((mediaId) => ({ mediaId, subjectId: scheduled.scheduledId, ownerId: scheduled.accountId }))

/** The changes for a batch of events: of several about one scheduled status the last one counts. */
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

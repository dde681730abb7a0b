import type { Db } from '@rookery/database'
import { type Consumer, consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { type Addresses, attachmentDescribed, unclaimedExpiry } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { requestDiscarding } from './discard-files.job.ts'
import { EndedSubjectWriter } from './ended-subject.store.ts'
import { keepReservations } from './keep-reservations.ts'
import { ReaperWriter, readUnconfirmed } from './reaper.store.ts'

const KINDS = [
  'statusPublished',
  'statusEdited',
  'statusDeleted',
  'statusScheduled',
  'scheduleCancelled',
  'previewPictureKept',
  'previewPictureDiscarded',
  'profilePicturesChanged',
] as const

/** Leaves out edits that add no file, as most do not. */
const confirming = async (db: Db<MediaTables>, received: readonly Received<(typeof KINDS)[number]>[]) => {
  const edited = received.flatMap(({ event }) => (event.$case === 'statusEdited' ? [event.value.statusId] : []))
  if (edited.length === 0) return received
  const unconfirmed = await readUnconfirmed(db, edited)
  return received.filter(({ event }) => event.$case !== 'statusEdited' || unconfirmed.has(event.value.statusId))
}

/**
 * Keeps files as long as their status: they are kept for good once the status is published, edited to show them or scheduled; free for
 * another post for a day when it is deleted or cancelled; and deleted at once when that is requested (beyond-the-spec 1.10, Delete). The
 * picture of a card lives as long as its card, that of a profile until it is replaced.
 */
export const reaper = (deps: { clock: Clock; outbox: Outbox; config: Addresses }): Consumer<MediaTables> => {
  const reserve = keepReservations(deps)
  return consumer({
    name: 'media.reaper',
    topic: 'statuses.v1',
    kinds: KINDS,
    isUnhurried: true,
    concerns: (event) => {
      if (event.$case === 'statusPublished') return event.value.hasMedia
      return event.$case !== 'statusDeleted' || event.value.hadMedia
    },
    pick: confirming,
    handle: async (tx, received) => {
      const events = received.map(({ event }) => event)
      const published = events.flatMap((event) => (event.$case === 'statusPublished' ? [event.value] : []))
      const edited = events.flatMap((event) => (event.$case === 'statusEdited' ? [event.value] : []))
      const deleted = events.flatMap((event) => (event.$case === 'statusDeleted' ? [event.value] : []))
      const scheduled = events.flatMap((event) => (event.$case === 'statusScheduled' ? [event.value] : []))
      const cancelled = events.flatMap((event) => (event.$case === 'scheduleCancelled' ? [event.value] : []))
      const released = deleted.filter((event) => !event.deleteMedia).map((event) => event.statusId)
      const doomed = deleted.filter((event) => event.deleteMedia).map((event) => event.statusId)
      const shown = events.flatMap((event) => (event.$case === 'previewPictureKept' ? [event.value.subjectId] : []))
      const replaced = events.flatMap((event) => (event.$case === 'previewPictureDiscarded' ? [event.value.subjectId] : []))
      const pictures = events.flatMap((event) => (event.$case === 'profilePicturesChanged' ? [event.value] : []))
      const ended = [...deleted.map(({ statusId }) => statusId), ...cancelled.map(({ scheduledId }) => scheduledId)]
      const writer = new ReaperWriter(tx)
      const now = deps.clock.now()
      if (ended.length > 0) await new EndedSubjectWriter(tx).end(ended, new Date(now))
      // A status is scheduled before it is published, and published before it is deleted: this order is used whatever the order in a batch.
      await reserve(tx, { scheduled, published, cancelled })
      const confirmed = [...published, ...edited].map(({ statusId }) => statusId)
      if (confirmed.length + shown.length > 0) {
        const described = await writer.confirm([...confirmed, ...shown])
        // A status that was written after the event of a description arrived has missed it.
        await deps.outbox.append(
          tx,
          described.map((row) => attachmentDescribed(row, row.subjectId, deps.config)),
        )
      }
      if (released.length > 0) await writer.release(released, unclaimedExpiry(now))
      const discarded = [...doomed, ...replaced]
      if (discarded.length > 0 && (await writer.discardOf(discarded, new Date(now))) > 0) await requestDiscarding(tx)
      if (pictures.length > 0 && (await writer.showPictures(pictures, new Date(now))) > 0) await requestDiscarding(tx)
    },
  })
}

import type { Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { type Addresses, attachmentDescribed, unclaimedExpiry } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { ReaperWriter } from './reaper.store.ts'
import { ReservationWriter } from './reservation.store.ts'
import { reservationChanges, type ScheduleEvents } from './reservations.rules.ts'

/**
 * Reserves the files of a scheduled status until it is published, when they move to the status, or cancelled, when they are free for a day
 * (beyond-the-spec 1.10, Scheduled). The description of moved files is sent to the status again, which may have missed a change.
 */
export const keepReservations =
  ({ clock, outbox, config }: { clock: Clock; outbox: Outbox; config: Addresses }) =>
  async (tx: Tx<MediaTables>, events: ScheduleEvents): Promise<void> => {
    const { dropped, kept, moved, ended } = reservationChanges(events)
    const writer = new ReservationWriter(tx)
    const expiry = unclaimedExpiry(clock.now())
    if (dropped.length > 0) await writer.drop(dropped, expiry)
    if (kept.length > 0) await writer.keep(kept)
    if (moved.length > 0) {
      const described = (await writer.move(moved)).map((row) => attachmentDescribed(row, row.subjectId, config))
      await outbox.append(tx, described)
    }
    if (ended.length > 0) await new ReaperWriter(tx).release(ended, expiry)
  }

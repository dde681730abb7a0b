import type { Focus } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { attachmentDescribed } from './attachment.events.ts'
import type { Addresses } from './attachment.message.ts'
import { faultsOf } from './attachment.rules.ts'
import { AttachmentWriter } from './attachment.store.ts'
import { takeThumbnail } from './take-thumbnail.ts'

/** Schedules the deletion of files that no record names after the transaction. */
export type FileDiscarder = (tx: Tx<MediaTables>, keys: readonly string[]) => Promise<void>

type Deps = { database: Database<MediaTables>; outbox: Outbox; clock: Clock; addresses: Addresses; discard: FileDiscarder }
type Change = {
  id: string
  ownerId: string
  description?: string | undefined
  focus?: Focus | undefined
  thumbnailId?: string | undefined
}

const lockOwn = async (writer: AttachmentWriter, { id, ownerId }: Change): Promise<AttachmentRow | undefined> =>
  isId(id) ? (await writer.lock([id], ownerId))[0] : undefined

/** The changed columns; omitted values stay. */
const columnsOf = ({ description, focus }: Change, before: AttachmentRow, now: number) => ({
  description: description ?? before.description,
  focusX: focus?.x ?? before.focusX,
  focusY: focus?.y ?? before.focusY,
  describedAt: new Date(now),
})

/**
 * Changes a file's description, focus and preview; omitted values stay (spec, PUT /api/v1/media/:id). An event tells its status; the file
 * of the previous preview is deleted.
 * @throws Failure not_found if it is missing or another's, invalid for a description or focus outside the limits or a missing thumbnail
 */
export const updateAttachment =
  ({ database, outbox, clock, addresses, discard }: Deps) =>
  async (change: Change, trace: string): Promise<AttachmentRow> => {
    const faults = faultsOf(change)
    return transact(database.db, async (tx) => {
      const writer = new AttachmentWriter(tx)
      const before = orNotFound(await lockOwn(writer, change))
      if (faults.length > 0) throw invalid(...faults)
      const preview = change.thumbnailId && (await takeThumbnail(tx, { id: change.thumbnailId, ownerId: change.ownerId }))
      const changed = { ...columnsOf(change, before, clock.now()), ...(preview || {}) }
      await writer.describe(before.id, changed)
      if (preview && before.previewKey) await discard(tx, [before.previewKey])
      const after = { ...before, ...changed }
      if (after.subjectId !== null) await outbox.append(tx, [attachmentDescribed(after, after.subjectId, addresses)], trace)
      return after
    })
  }

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

/** The dependencies of changing a file. */
export type ChangeDeps = { outbox: Outbox; clock: Clock; addresses: Addresses; discard: FileDiscarder }

/** What an owner changes of a file; omitted values stay. */
export type AttachmentChange = {
  id: string
  description?: string | undefined
  focus?: Focus | undefined
  thumbnailId?: string | undefined
}

/** The changed columns; omitted values stay. */
const columnsOf = ({ description, focus }: AttachmentChange, before: AttachmentRow, now: number) => ({
  description: description ?? before.description,
  focusX: focus?.x ?? before.focusX,
  focusY: focus?.y ?? before.focusY,
  describedAt: new Date(now),
})

/**
 * Changes a locked record. An event tells its status; the file of the previous preview is deleted.
 * @throws Failure not_found if there is no record, invalid for a description or focus outside the limits or a missing thumbnail
 */
export const changeAttachment =
  ({ outbox, clock, addresses, discard }: ChangeDeps) =>
  async (tx: Tx<MediaTables>, locked: AttachmentRow | undefined, change: AttachmentChange, trace: string): Promise<AttachmentRow> => {
    const before = orNotFound(locked)
    const faults = faultsOf(change)
    if (faults.length > 0) throw invalid(...faults)
    const preview = change.thumbnailId && (await takeThumbnail(tx, { id: change.thumbnailId, ownerId: before.ownerId }))
    const changed = { ...columnsOf(change, before, clock.now()), ...(preview || {}) }
    await new AttachmentWriter(tx).describe(before.id, changed)
    if (preview && before.previewKey) await discard(tx, [before.previewKey])
    const after = { ...before, ...changed }
    if (after.subjectId !== null) await outbox.append(tx, [attachmentDescribed(after, after.subjectId, addresses)], trace)
    return after
  }

/**
 * Changes a file's description, focus and preview; omitted values stay (spec, PUT /api/v1/media/:id).
 * @throws Failure not_found if it is missing or another's, invalid for a description or focus outside the limits or a missing thumbnail
 */
export const updateAttachment = ({ database, ...deps }: ChangeDeps & { database: Database<MediaTables> }) => {
  const change = changeAttachment(deps)
  return async ({ ownerId, ...changed }: AttachmentChange & { ownerId: string }, trace: string): Promise<AttachmentRow> =>
    transact(database.db, async (tx) => {
      const [locked] = isId(changed.id) ? await new AttachmentWriter(tx).lock([changed.id], ownerId) : []
      return change(tx, locked, changed, trace)
    })
}

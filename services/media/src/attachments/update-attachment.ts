import type { Focus } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { attachmentDescribed } from './attachment.events.ts'
import { faultsOf } from './attachment.rules.ts'
import { AttachmentWriter } from './attachment.store.ts'

type Given = { database: Database<MediaTables>; outbox: Outbox }
type Change = { id: string; ownerId: string; description?: string | undefined; focus?: Focus | undefined }

/**
 * Changes what a file says of itself; what is left out stays (spec, PUT /api/v1/media/:id). Whoever shows the file is told.
 * @throws Failure not_found when it is missing or another's, invalid for a description or focus outside the limits
 */
export const updateAttachment =
  ({ database, outbox }: Given) =>
  async (change: Change, trace: string): Promise<AttachmentRow> => {
    const faults = faultsOf(change)
    return transact(database.db, async (tx) => {
      const writer = new AttachmentWriter(tx)
      const [row] = isId(change.id) ? await writer.lock([change.id], change.ownerId) : []
      const before = orNotFound(row)
      if (faults.length > 0) throw invalid(...faults)
      const changed = {
        description: change.description ?? before.description,
        focus_x: change.focus?.x ?? before.focus_x,
        focus_y: change.focus?.y ?? before.focus_y,
      }
      await writer.describe(before.id, changed)
      const after = { ...before, ...changed }
      if (after.subject_id !== null) await outbox.append(tx, [attachmentDescribed(after, after.subject_id)], trace)
      return after
    })
  }

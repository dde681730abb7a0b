import { type Database, transactOnce } from '@rookery/database'
import { Failure, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { isInUse } from './attachment.rules.ts'
import { AttachmentWriter } from './attachment.store.ts'
import type { FileDiscarder } from './update-attachment.ts'

type Deps = { database: Database<MediaTables>; clock: Clock; discard: FileDiscarder }

/**
 * Deletes an unattached file; its processing is cancelled (beyond-the-spec 2.3, DELETE /api/v1/media/:id).
 * @throws Failure not_found if it is missing or another's, invalid if it is attached to a status
 */
export const removeAttachment =
  ({ database, clock, discard }: Deps) =>
  (call: Call, { id, ownerId }: { id: string; ownerId: string }): Promise<void> =>
    transactOnce(database.db, { call, step: 'remove' }, async (tx) => {
      const writer = new AttachmentWriter(tx)
      const [found] = isId(id) ? await writer.lock([id], ownerId) : []
      const row = orNotFound(found)
      if (isInUse(row, clock.now())) throw new Failure('invalid', 'Media attachment is currently used by a status')
      await writer.remove(row.id)
      await discard(
        tx,
        [row.originalKey, row.previewKey, row.sourceKey].flatMap((key) => key ?? []),
      )
    })

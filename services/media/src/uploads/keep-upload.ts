import type { UploadHeader } from '@rookery/contracts/media'
import { completeStep, type Database, type Step, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Clock, Logger } from '@rookery/runtime'
import { expiryOfUpload, takeThumbnail } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { requestProcessing } from '../motion/index.ts'
import type { Purpose } from '../processing/index.ts'
import type { Storage } from '../storage/index.ts'
import { bytesOf, type Received } from './received.ts'
import { UploadWriter } from './upload.store.ts'

type Deps = { database: Database<MediaTables>; storage: Storage; clock: Clock; ids: Ids; log: Logger }

/** A received upload: its header, its purpose, and the step that stores it once. */
type Upload = { header: UploadHeader; purpose: Purpose; once: Step }

/** Writes the record of an upload, which names its files; an earlier uploaded thumbnail becomes its preview. */
const recordUpload = async ({ database, clock, ids }: Deps, { header, purpose }: Upload, received: Received): Promise<AttachmentRow> => {
  const now = clock.now()
  const { ownerId, thumbnailId, description, focus } = header
  const row = {
    ...received.columns,
    ...(await bytesOf(received)),
    ownerId,
    purpose,
    state: 'pending' as const,
    tries: 0,
    processingEndsAt: null,
    description,
    focusX: focus?.x ?? null,
    focusY: focus?.y ?? null,
    createdAt: new Date(now),
    describedAt: null,
    subjectId: null,
    claimedAt: null,
    expiresAt: expiryOfUpload(purpose, now),
  }
  return transact(database.db, async (tx) => {
    const preview = thumbnailId && (await takeThumbnail(tx, { id: thumbnailId, ownerId }))
    return new UploadWriter(tx).add({ ...row, ...(preview || {}) }, ids)
  })
}

/** Removes the files and the record of an upload; if that fails, they expire with the record. */
const takeBack = async ({ database, storage }: Deps, row: AttachmentRow, { files }: Received): Promise<void> => {
  const keys = new Set([...files.map(({ key }) => key), ...(row.previewKey ? [row.previewKey] : [])])
  for (const key of keys) await storage.remove(key)
  await transact(database.db, (tx) => new UploadWriter(tx).remove(row.id))
}

/**
 * Stores a received upload, and requests its processing if it is video or audio. The record names the files before they are written, so
 * that a crash in between leaves no unknown file. @throws Failure not_found when its owner was removed meanwhile
 */
export const uploadKeeper = (deps: Deps) => {
  const { database, storage, log } = deps
  const request = requestProcessing(deps)

  /** The stored upload; undefined if its record is gone. */
  const finish = async (row: AttachmentRow, { header, once }: Upload): Promise<AttachmentRow | undefined> => {
    const isProcessed = row.sourceKey === null
    const isThere = await transact(database.db, async (tx) => {
      const writer = new UploadWriter(tx)
      if (!(await writer.hold(row.id))) return false
      await completeStep(tx, once, { id: row.id })
      await (isProcessed ? writer.finish(row.id) : request(tx, { mediaId: row.id, keepUnreadable: header.keepUnreadable }))
      return true
    })
    if (!isThere) return undefined
    return isProcessed ? { ...row, state: 'done' } : row
  }

  return async (upload: Upload, received: Received): Promise<AttachmentRow> => {
    const row = await recordUpload(deps, upload, received)
    try {
      for (const { key, path } of received.files) await storage.put(key, path)
    } catch (error) {
      await takeBack(deps, row, received).catch((fault: unknown) =>
        log.warn({ err: fault }, 'an upload that failed could not be taken back'),
      )
      throw error
    }
    const stored = await finish(row, upload)
    if (!stored) await takeBack(deps, row, received)
    return orNotFound(stored, `the owner of file ${row.id} is gone`)
  }
}

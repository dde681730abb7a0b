import { LIMITS } from '@rookery/contracts/limits'
import { type UploadHeader, UploadPurpose } from '@rookery/contracts/media'
import { type Database, transact } from '@rookery/database'
import { Failure, invalid, isOutage } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import { expiryOfUpload, faultsOf, readAttachment, takeThumbnail, type Upload } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { type MadeFile, type MadeImage, type PictureProcesses, type Purpose, UnreadableError, type WorkQueue } from '../processing/index.ts'
import { makeKey, type Storage } from '../storage/index.ts'
import { contentTypeOfFile } from './content-type.ts'
import { type Spool, type SpooledFile, TooLargeError } from './spool.ts'
import { UploadWriter } from './upload.store.ts'

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  spool: Spool
  queue: WorkQueue
  pictures: PictureProcesses
  clock: Clock
  ids: Ids
  log: Logger
}

const PURPOSES: Record<UploadPurpose, Purpose> = {
  [UploadPurpose.UNSPECIFIED]: 'attachment',
  [UploadPurpose.ATTACHMENT]: 'attachment',
  [UploadPurpose.AVATAR]: 'avatar',
  [UploadPurpose.HEADER]: 'header',
  [UploadPurpose.EMOJI]: 'emoji',
  [UploadPurpose.PREVIEW]: 'preview',
  [UploadPurpose.THUMBNAIL]: 'thumbnail',
}

const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

const MAX_BYTES: Record<Purpose, number> = {
  attachment: LIMITS.media.imageBytes,
  avatar: LIMITS.media.profileImageBytes,
  header: LIMITS.media.profileImageBytes,
  emoji: LIMITS.media.emojiBytes,
  preview: LIMITS.media.imageBytes,
  thumbnail: LIMITS.media.imageBytes,
}

const sizeName = (bytes: number) => (bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`)

/** Types that are refused although pictures of posts may have them. */
const REFUSED_TYPES: Record<Purpose, readonly string[]> = {
  attachment: [],
  avatar: ['image/avif'],
  header: ['image/avif'],
  emoji: ['image/avif', 'image/jpeg'],
  preview: [],
  thumbnail: [],
}

const receive = async (spool: Spool, bytes: AsyncIterable<Uint8Array>, purpose: Purpose): Promise<SpooledFile> => {
  const most = MAX_BYTES[purpose]
  try {
    return await spool.receive(bytes, most)
  } catch (error) {
    throw error instanceof TooLargeError ? invalid(`File must be less than ${sizeName(most)}`) : error
  }
}

/** Why an unreadable picture is refused: for the thumbnail of a new attachment the API has an error of its own (spec, POST /api/v2/media). */
const refusalOf = ({ thumbnailOf }: UploadHeader, purpose: Purpose, cause: unknown): Failure =>
  purpose === 'thumbnail' && !thumbnailOf
    ? new Failure('broken', 'Error processing thumbnail for uploaded media', { cause })
    : new Failure('invalid', 'Validation failed: File is invalid', { cause })

/** What a picture became, or undefined when it cannot be read and may be kept as of unknown type. */
const processUpload = async (
  { file, header, purpose }: { file: SpooledFile; header: UploadHeader; purpose: Purpose },
  make: (contentType: string) => Promise<MadeImage>,
): Promise<MadeImage | undefined> => {
  if (file.size === 0) throw invalid("File can't be blank")
  const contentType = await contentTypeOfFile(file.path)
  if (!contentType || REFUSED_TYPES[purpose].includes(contentType)) {
    throw invalid('File content type is invalid', 'File is invalid')
  }
  try {
    return await make(contentType)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    if (header.keepUnreadable) return undefined
    throw refusalOf(header, purpose, error.cause)
  }
}

/** Aborts when the caller has gone or waits no longer. */
const untilAbandoned = ({ signal, deadline }: Call): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, deadline - Date.now()))])

/** Who takes turns with others: each person, and pages that are linked to, all of them together. */
const laneOf = ({ ownerId }: UploadHeader, purpose: Purpose) => (purpose === 'preview' ? 'previews' : ownerId)

const keyOf = (file: MadeFile | undefined) => (file ? makeKey(file.extension) : null)

/**
 * Receives a file: writes it aside, makes of it what is shown, keeps that, and answers when it can no longer be lost
 * (spec, POST /api/v2/media). The record names the files before they are written, so a death in between leaves none that nobody knows.
 * @throws Failure invalid for what is too large, no picture or unreadable, not_found for the thumbnail of what the owner does not have, broken
 * when no preview could be made, unavailable when too many are being processed, the caller has gone or there is no room for the file
 */
export const uploadAttachment = (deps: Deps): Upload => {
  const { database, storage, spool, queue, pictures, clock, ids, log } = deps
  const read = readAttachment(deps)

  const record = async (header: UploadHeader, purpose: Purpose, made: MadeImage | undefined): Promise<AttachmentRow> => {
    const now = clock.now()
    const row = {
      ownerId: header.ownerId,
      purpose,
      type: made ? ('image' as const) : ('unknown' as const),
      state: 'pending' as const,
      originalKey: keyOf(made?.original),
      previewKey: keyOf(made?.preview),
      width: made?.original.width ?? null,
      height: made?.original.height ?? null,
      previewWidth: made?.preview?.width ?? null,
      previewHeight: made?.preview?.height ?? null,
      blurhash: made?.blurhash ?? null,
      description: header.description,
      focusX: header.focus?.x ?? null,
      focusY: header.focus?.y ?? null,
      createdAt: new Date(now),
      describedAt: null,
      subjectId: null,
      claimedAt: null,
      expiresAt: expiryOfUpload(purpose, now),
    }
    const { ownerId, thumbnailId } = header
    return transact(database.db, async (tx) => {
      const preview = thumbnailId && (await takeThumbnail(tx, { id: thumbnailId, ownerId }))
      return new UploadWriter(tx).add({ ...row, ...(preview || {}) }, ids)
    })
  }

  const store = async (row: AttachmentRow, made: MadeImage | undefined): Promise<void> => {
    if (made && row.originalKey) await storage.put(row.originalKey, made.original.path)
    if (made?.preview && row.previewKey) await storage.put(row.previewKey, made.preview.path)
  }

  /** What cannot be taken back expires with its record. */
  const takeBack = async (row: AttachmentRow): Promise<void> => {
    for (const key of [row.originalKey, row.previewKey]) if (key) await storage.remove(key)
    await transact(database.db, (tx) => new UploadWriter(tx).remove(row.id))
  }

  const keep = async (row: AttachmentRow, made: MadeImage | undefined): Promise<AttachmentRow> => {
    try {
      await store(row, made)
    } catch (error) {
      await takeBack(row).catch((fault: unknown) => log.warn({ err: fault }, 'an upload that failed could not be taken back'))
      throw error
    }
    await transact(database.db, (tx) => new UploadWriter(tx).finish(row.id))
    return { ...row, state: 'done' }
  }

  const process = async (call: Call, header: UploadHeader, bytes: AsyncIterable<Uint8Array>): Promise<AttachmentRow> => {
    const purpose = PURPOSES[header.purpose]
    const file = await receive(spool, bytes, purpose)
    try {
      const signal = untilAbandoned(call)
      const make = (contentType: string) => pictures.make({ path: file.path, contentType, purpose, folder: file.folder }, signal)
      const made = await queue.run({ owner: laneOf(header, purpose), signal }, () => processUpload({ file, header, purpose }, make))
      const kept = made && header.thumbnailId ? { ...made, preview: undefined } : made
      return await keep(await record(header, purpose, kept), kept)
    } finally {
      await file.remove()
    }
  }

  return async (call, header, bytes) => {
    const faults = faultsOf(header)
    if (faults.length > 0) throw invalid(...faults)
    if (header.thumbnailOf) await read({ id: header.thumbnailOf, ownerId: header.ownerId })
    try {
      return await process(call, header, bytes)
    } catch (error) {
      if (!(error instanceof Failure) && isOutage(error)) log.error({ err: error }, 'an upload could not be stored')
      throw error
    }
  }
}

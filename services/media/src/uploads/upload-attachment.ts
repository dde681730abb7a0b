import { type UploadHeader, UploadPurpose } from '@rookery/contracts/media'
import { completedStep, type Database, type Step } from '@rookery/database'
import { Failure, invalid, isOutage } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import { AttachmentReader, faultsOf, readAttachment, type Upload } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import type { MotionTools } from '../motion/index.ts'
import { type PictureProcesses, type Purpose, UnreadableError, type WorkQueue } from '../processing/index.ts'
import type { Storage } from '../storage/index.ts'
import { maxBytes, tooLarge } from './accepted-type.ts'
import { uploadKeeper } from './keep-upload.ts'
import { makeReceived } from './make-received.ts'
import { RECEIVED_NOTHING, type Received } from './received.ts'
import { type Spool, type SpooledFile, TooLargeError } from './spool.ts'

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  spool: Spool
  queue: WorkQueue
  pictures: PictureProcesses
  /** The tools for video and audio; without them only pictures are accepted. */
  motion: MotionTools | undefined
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

const receive = async (spool: Spool, bytes: AsyncIterable<Uint8Array>, max: number): Promise<SpooledFile> => {
  try {
    return await spool.receive(bytes, max)
  } catch (error) {
    throw error instanceof TooLargeError ? tooLarge(max) : error
  }
}

/** The failure for an unreadable picture: the API has a separate error for the thumbnail of a new attachment (spec, POST /api/v2/media). */
const refusalOf = ({ thumbnailOf }: UploadHeader, purpose: Purpose, cause: unknown): Failure =>
  purpose === 'thumbnail' && !thumbnailOf
    ? new Failure('broken', 'Error processing thumbnail for uploaded media', { cause })
    : new Failure('invalid', 'Validation failed: File is invalid', { cause })

/** Aborts when the caller disconnects or its deadline passes. */
const untilAbandoned = ({ signal, deadline }: Call): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, deadline - Date.now()))])

/** The owner for the queue: each person, and link previews all together. */
const laneOf = ({ ownerId }: UploadHeader, purpose: Purpose) => (purpose === 'preview' ? 'previews' : ownerId)

/** Makes the files of a received upload. @throws Failure for an unreadable one, unless such are kept */
const readable = (deps: Deps) => {
  const make = makeReceived(deps)
  return (file: SpooledFile, header: UploadHeader, given: { purpose: Purpose; signal: AbortSignal }): Promise<Received> =>
    make(file, { ...given, hasPreview: header.thumbnailId !== undefined }).catch((error: unknown) => {
      if (!(error instanceof UnreadableError)) throw error
      if (header.keepUnreadable) return RECEIVED_NOTHING
      throw refusalOf(header, given.purpose, error.cause)
    })
}

/** The record that an earlier attempt of the request stored; a thumbnail may have become a preview since, and is then made again. */
const findStored = async ({ database }: Deps, once: Step, { ownerId }: UploadHeader): Promise<AttachmentRow | undefined> => {
  const stored = await completedStep<{ id: string }>(database.db, once)
  return stored && (await new AttachmentReader(database.db).find(stored.id, ownerId))
}

/**
 * Receives an upload: spools it, makes its files, stores them, and answers when it is durable (spec, POST /api/v2/media).
 * @throws Failure invalid for a file that is too large, not accepted or unreadable, not_found for the thumbnail of an attachment the owner
 * does not have, broken when no preview could be made, unavailable when the queue is full, the caller disconnected or the disk is full
 */
export const uploadAttachment = (deps: Deps): Upload => {
  const { spool, queue, log } = deps
  const readParent = readAttachment(deps)
  const read = readable(deps)
  const keep = uploadKeeper(deps)

  const process = async (call: Call, header: UploadHeader, bytes: AsyncIterable<Uint8Array>): Promise<AttachmentRow> => {
    const purpose = PURPOSES[header.purpose]
    const file = await receive(spool, bytes, maxBytes(purpose, { hasMotion: deps.motion !== undefined }))
    try {
      const once = { call, step: `upload-${purpose}` }
      const stored = await findStored(deps, once, header)
      if (stored) return stored
      const signal = untilAbandoned(call)
      const received = await queue.run({ owner: laneOf(header, purpose), signal }, () => read(file, header, { purpose, signal }))
      return await keep({ header, purpose, once }, received)
    } finally {
      await file.remove()
    }
  }

  return async (call, header, bytes) => {
    const faults = faultsOf(header)
    if (faults.length > 0) throw invalid(...faults)
    if (header.thumbnailOf) await readParent({ id: header.thumbnailOf, ownerId: header.ownerId })
    try {
      return await process(call, header, bytes)
    } catch (error) {
      if (!(error instanceof Failure) && isOutage(error)) log.error({ err: error }, 'an upload could not be stored')
      throw error
    }
  }
}

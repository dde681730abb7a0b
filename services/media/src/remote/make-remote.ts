import { LIMITS } from '@rookery/contracts/limits'
import { invalid } from '@rookery/failures'
import { type MotionTools, readMotion } from '../motion/index.ts'
import { type FoundType, HEIC, type PictureProcesses, type Purpose, typeOfFile, UnreadableError } from '../processing/index.ts'
import type { Extension } from '../storage/index.ts'
import { RECEIVED, type SpooledFile } from '../uploads/index.ts'
import { extensionOfType, type RemotePurpose } from './remote-file.rules.ts'

/** A file of this machine that is to be kept. */
type LocalFile = { path: string; extension: Extension }

/** What is kept of a file elsewhere: what is shown of it, and of what moves the same where nothing does. */
export type MadeRemote = { original: LocalFile; still: LocalFile | undefined }

type Deps = { pictures: PictureProcesses; motion: MotionTools | undefined }

const PICTURES: Record<Exclude<RemotePurpose, 'original'>, Purpose> = {
  preview: 'thumbnail',
  avatar: 'avatar',
  header: 'header',
  emoji: 'emoji',
}

const unreadable = (found: FoundType | undefined) =>
  new UnreadableError(new Error(`${found?.contentType ?? 'a file of no kind we know'} is not shown`))

const originalOf = (file: SpooledFile, found: FoundType | undefined): MadeRemote => {
  const extension = found && extensionOfType(found.contentType)
  if (!extension) throw unreadable(found)
  return { original: { path: file.path, extension }, still: undefined }
}

/**
 * Makes of a file elsewhere what is kept of it, by its first bytes, whatever its server says it is. An original stays as it came. Everything
 * else is decoded where uploads are, and of a film a frame is kept.
 * @throws UnreadableError; Failure invalid for what is outside the limits, unavailable when the caller has gone
 */
export const makeRemote = ({ pictures, motion }: Deps) => {
  const readMoving = motion && readMotion({ tools: motion, pictures })

  const frameOf = async (file: SpooledFile, found: FoundType, signal: AbortSignal): Promise<MadeRemote> => {
    const source = found.demuxer && { folder: file.folder, file: RECEIVED, demuxer: found.demuxer }
    const moving = source && (await readMoving?.(source, { signal, needsPreview: true }))
    if (!moving?.preview) throw unreadable(found)
    return { original: moving.preview, still: undefined }
  }

  const pictureOf = async (file: SpooledFile, contentType: string, purpose: Purpose, signal: AbortSignal): Promise<MadeRemote> => {
    if (file.size > LIMITS.media.imageBytes) throw invalid('File is too large')
    const { original, preview } = await pictures.make({ path: file.path, contentType, purpose, folder: file.folder }, signal)
    return { original, still: preview }
  }

  return async (file: SpooledFile, purpose: RemotePurpose, signal: AbortSignal): Promise<MadeRemote> => {
    if (file.size === 0) throw invalid("File can't be blank")
    const found = await typeOfFile(file.path)
    if (purpose === 'original') return originalOf(file, found)
    if (!found || found.contentType === HEIC) throw unreadable(found)
    if (found.contentType.startsWith('image/')) return pictureOf(file, found.contentType, PICTURES[purpose], signal)
    if (purpose !== 'preview') throw unreadable(found)
    return frameOf(file, found, signal)
  }
}

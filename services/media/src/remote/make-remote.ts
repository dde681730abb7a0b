import { LIMITS } from '@rookery/contracts/limits'
import { invalid } from '@rookery/failures'
import { type MotionTools, readMotion } from '../motion/index.ts'
import { type FoundType, HEIC, type PictureProcesses, type Purpose, typeOfFile, UnreadableError } from '../processing/index.ts'
import type { Extension } from '../storage/index.ts'
import { RECEIVED, type SpooledFile } from '../uploads/index.ts'
import { extensionOfType, type RemotePurpose } from './remote-file.rules.ts'

/** A local file to store. */
type LocalFile = { path: string; extension: Extension }

/** The stored versions of a remote file: the shown one, and for animations a still one. */
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
 * Makes the stored versions of a remote file, by its first bytes, whatever type its server claims. An original is stored unchanged.
 * Everything else is decoded like uploads, and of a video a frame is stored.
 * @throws UnreadableError; Failure invalid outside the limits, unavailable when the caller disconnected
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

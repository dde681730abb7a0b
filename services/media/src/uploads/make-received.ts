import { basename } from 'node:path'
import { asUnreadable, type MotionTools, readMotion } from '../motion/index.ts'
import { type Demuxer, type FoundType, HEIC, type PictureProcesses, type Purpose } from '../processing/index.ts'
import { acceptedType } from './accepted-type.ts'
import { type Received, receivedImage, receivedMotion } from './received.ts'
import { RECEIVED, type SpooledFile } from './spool.ts'

type Deps = { pictures: PictureProcesses /** Without it pictures alone are taken. */; motion: MotionTools | undefined }

/** `hasPreview`: whether its owner sent a preview. */
type Wanted = { readonly purpose: Purpose; readonly signal: AbortSignal; readonly hasPreview: boolean }

/**
 * Makes the files of an upload, or those that can be shown before it is processed. @throws UnreadableError; Failure as for a whole upload
 */
export const makeReceived = ({ pictures, motion }: Deps): ((file: SpooledFile, wanted: Wanted) => Promise<Received>) => {
  const readMoving = motion && readMotion({ tools: motion, pictures })

  /** Reads a video or audio file at `path`; undefined for a picture of an animated format that has only one frame. */
  const movingAt = async (path: string, demuxer: Demuxer, { file, signal, hasPreview }: Wanted & { file: SpooledFile }) => {
    const found = await readMoving!({ folder: file.folder, file: basename(path), demuxer }, { signal, needsPreview: !hasPreview })
    return found && receivedMotion(found, path)
  }

  const moving = async (file: SpooledFile, { contentType, demuxer }: FoundType & { demuxer: Demuxer }, wanted: Wanted) => {
    const { purpose, signal } = wanted
    const picture = (path: string, type: string) => pictures.make({ path, contentType: type, purpose, folder: file.folder }, signal)
    if (contentType === HEIC) {
      const path = await motion!.picture({ folder: file.folder, file: RECEIVED, demuxer: 'mov' }, signal).catch(asUnreadable)
      return receivedImage(await picture(path, 'image/jpeg'), wanted)
    }
    if (demuxer !== 'webp') {
      return (await movingAt(file.path, demuxer, { ...wanted, file })) ?? receivedImage(await picture(file.path, contentType), wanted)
    }
    // ffmpeg reads no animated WebP: the GIF that the image library made of it is processed instead.
    const made = await picture(file.path, contentType)
    const { extension, path } = made.original
    return (extension === 'gif' && (await movingAt(path, 'gif', { ...wanted, file }))) || receivedImage(made, wanted)
  }

  return async (file, wanted) => {
    const { purpose, signal } = wanted
    const hasMotion = readMoving !== undefined && purpose === 'attachment'
    const { contentType, demuxer } = await acceptedType(file, { purpose, hasMotion, readsHeif: motion?.readsHeif ?? false })
    if (demuxer && (hasMotion || contentType === HEIC)) return moving(file, { contentType, demuxer }, wanted)
    return receivedImage(await pictures.make({ path: file.path, contentType, purpose, folder: file.folder }, signal), wanted)
  }
}

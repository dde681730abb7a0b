import { invalid } from '@rookery/failures'
import type { MotionMetadata } from '../database/tables/attachment.ts'
import type { Demuxer, MadeFile, PictureProcesses } from '../processing/index.ts'
import { UnreadableError } from '../processing/index.ts'
import type { Extension } from '../storage/index.ts'
import { type MotionType, metadataOf, motionFault, planOf } from './motion.rules.ts'
import { MotionError } from './motion-error.ts'
import type { MotionTools, Source } from './motion-tools.ts'

/** The result of reading an upload: its later type, and what can be shown before it is processed. */
type ReadMotion = {
  readonly type: MotionType
  /** The extension of the later file. */
  readonly extension: Extension
  readonly size: { width: number; height: number } | undefined
  readonly metadata: MotionMetadata
  readonly preview: MadeFile | undefined
  readonly blurhash: string | undefined
}

const STILLS: readonly Demuxer[] = ['gif', 'apng']

type Deps = { tools: MotionTools; pictures: PictureProcesses }
type Wanted = { signal: AbortSignal; needsPreview: boolean }

/** A picture written by ffmpeg is decoded in a picture process like any other: it is not trusted. */
const previewOf = async (path: string, { pictures }: Deps, { folder }: Source, signal: AbortSignal) => {
  const { original, blurhash } = await pictures.make({ path, contentType: 'image/jpeg', purpose: 'thumbnail', folder }, signal)
  return { preview: original, blurhash }
}

/** Reports a faulty file like any unreadable upload. @throws UnreadableError; other errors unchanged */
export const asUnreadable = (error: unknown): never => {
  throw error instanceof MotionError ? new UnreadableError(error) : error
}

const NO_PREVIEW = { preview: undefined, blurhash: undefined }

/**
 * Reads the type of an upload and a preview to show at once: a representative frame, or the cover of an audio file. Undefined for a picture
 * of an animated format that has only one frame.
 * @throws UnreadableError; Failure invalid outside the limits, unavailable when the caller disconnected
 */
export const readMotion =
  (deps: Deps) =>
  async (source: Source, { signal, needsPreview }: Wanted): Promise<ReadMotion | undefined> => {
    const { tools } = deps
    const isPicture = STILLS.includes(source.demuxer)
    try {
      const probe = await tools.probe(source, signal)
      if (isPicture && (probe.video?.frames ?? 1) < 2) return undefined
      const fault = motionFault(probe, { isPicture })
      if (fault) throw invalid(fault)
      const { video, cover } = probe
      const frame = async () => {
        if (!needsPreview) return NO_PREVIEW
        if (video) return previewOf(await tools.poster(source, video, signal), deps, source, signal)
        if (!cover) return NO_PREVIEW
        // An audio file with an unreadable cover is still an audio file.
        const path = await tools.cover(source, cover.index, signal).catch((error: unknown) => {
          if (error instanceof MotionError) return undefined
          throw error
        })
        return path ? previewOf(path, deps, source, signal) : NO_PREVIEW
      }
      const { type, extension, video: size } = planOf(probe)
      return { type, extension, size: size && { width: size.width, height: size.height }, metadata: metadataOf(probe), ...(await frame()) }
    } catch (error) {
      return asUnreadable(error)
    }
  }

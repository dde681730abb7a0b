import { invalid } from '@rookery/failures'
import type { MotionMetadata } from '../database/tables/attachment.ts'
import type { Demuxer, MadeFile, PictureProcesses } from '../processing/index.ts'
import { UnreadableError } from '../processing/index.ts'
import type { Extension } from '../storage/index.ts'
import { type MotionType, metadataOf, motionFault, planOf } from './motion.rules.ts'
import { MotionError } from './motion-error.ts'
import type { MotionTools, Source } from './motion-tools.ts'

/** What an upload will be once it is processed, and what can be shown of it before. */
type ReadMotion = {
  readonly type: MotionType
  /** What it is written as. */
  readonly extension: Extension
  readonly size: { width: number; height: number } | undefined
  readonly metadata: MotionMetadata
  readonly preview: MadeFile | undefined
  readonly blurhash: string | undefined
}

const STILLS: readonly Demuxer[] = ['gif', 'apng']

type Deps = { tools: MotionTools; pictures: PictureProcesses }
type Wanted = { signal: AbortSignal; needsPreview: boolean }

/** A picture that ffmpeg wrote is decoded where every other picture is: nothing it writes is believed. */
const previewOf = async (path: string, { pictures }: Deps, { folder }: Source, signal: AbortSignal) => {
  const { original, blurhash } = await pictures.make({ path, contentType: 'image/jpeg', purpose: 'thumbnail', folder }, signal)
  return { preview: original, blurhash }
}

/** Says of a file that nothing can be made of as of every upload that cannot be read. @throws UnreadableError; other errors as they are */
export const asUnreadable = (error: unknown): never => {
  throw error instanceof MotionError ? new UnreadableError(error) : error
}

const NO_PREVIEW = { preview: undefined, blurhash: undefined }

/**
 * Finds out what an upload is and what can be shown of it at once: a telling frame, or the picture of a recording. Undefined for a picture
 * that could move and does not.
 * @throws UnreadableError; Failure invalid for what is outside the limits, unavailable when the caller has gone
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
        // A recording is one without its picture too.
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

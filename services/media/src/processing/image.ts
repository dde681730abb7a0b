import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '@rookery/contracts/limits'
import { Failure, invalid, isOutage } from '@rookery/failures'
import { encode } from 'blurhash'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { Extension } from '../storage/index.ts'
import { extensionOf, originalSize, type Picture, type Purpose, pictureFault, previewSize, type Size } from './image.rules.ts'
import { UnreadableError } from './unreadable-error.ts'

/** A file made from an upload. */
export type MadeFile = Size & { path: string; extension: Extension }

/** The files made from an upload: they contain none of its bytes, names or locations. */
export type MadeImage = { original: MadeFile; preview: MadeFile | undefined; blurhash: string }

sharp.cache(false)
sharp.concurrency(1)

/** Limits the pixels of all frames together: nothing larger is ever decoded, whatever a file claims. */
const OPTIONS: SharpOptions = { limitInputPixels: LIMITS.media.imagePixels, failOn: 'error' }

const FORMATS: Record<string, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
}

/** Picture types that may be animated. */
const MOVING = ['image/gif', 'image/webp']
/** Purposes that are never animated. */
const STILLS: readonly Purpose[] = ['preview', 'thumbnail']

/** Interlaced PNG and AVIF are decoded as a whole, with two bytes per channel beyond 8 bits. */
const heldBytesOf = ({ format, isProgressive, width, height, channels, depth }: Metadata): number => {
  const isWhole = format === 'heif' || (format === 'png' && isProgressive)
  return isWhole ? width * height * channels * (depth === 'uchar' ? 1 : 2) : 0
}

/** A picture's displayed size, without decoding it; for stills of animations, one frame. @throws UnreadableError */
const inspect = async (path: string, contentType: string, purpose: Purpose): Promise<Picture> => {
  try {
    // Nothing is decoded here, so the limit is left to our own rule, whose error names the picture's size.
    const found = await sharp(path, { ...OPTIONS, limitInputPixels: false }).metadata()
    if (found.format !== FORMATS[contentType]) throw new Error(`found ${found.format} in ${contentType}`)
    const frames = MOVING.includes(contentType) && !STILLS.includes(purpose) ? (found.pages ?? 1) : 1
    return { ...found.autoOrient, contentType, frames, hasAlpha: found.hasAlpha, heldBytes: heldBytesOf(found) }
  } catch (error) {
    throw new UnreadableError(error)
  }
}

const encoded = (image: Sharp, extension: Extension): Promise<Buffer> => {
  if (extension === 'jpg') return image.flatten({ background: '#fff' }).jpeg({ quality: 90 }).toBuffer()
  if (extension === 'webp') return image.webp({ quality: 90 }).toBuffer()
  if (extension === 'gif') return image.gif({ reuse: true, effort: 1 }).toBuffer()
  return image.png().toBuffer()
}

/** Writes the picture upright, in sRGB, without metadata: re-encoded, because blocks of every kind may contain the location. */
const makeOriginal = async (path: string, picture: Picture, purpose: Purpose, folder: string): Promise<MadeFile> => {
  const extension = extensionOf(picture)
  const size = originalSize(picture, purpose)
  const target = join(folder, `original.${extension}`)
  const image = sharp(path, { ...OPTIONS, animated: extension === 'gif' })
  const resized = image.autoOrient().resize({ ...size, fit: purpose === 'avatar' ? 'cover' : 'fill' })
  const bytes = await encoded(resized, extension).catch((error: unknown) => {
    throw new UnreadableError(error)
  })
  // Written here: the library's error would not tell whether reading or writing failed.
  await writeFile(target, bytes)
  return { ...size, path: target, extension }
}

/** A preview of an original, of its first frame; none if a still profile picture is its own. */
const makePreview = async (original: MadeFile, purpose: Purpose, folder: string): Promise<MadeFile | undefined> => {
  const isAnimated = original.extension === 'gif'
  if (purpose !== 'attachment' && !isAnimated) return undefined
  const extension = isAnimated ? 'png' : original.extension
  const size = purpose === 'attachment' ? previewSize(original) : original
  const target = join(folder, `preview.${extension}`)
  const resized = sharp(original.path, OPTIONS).resize({ width: size.width, height: size.height, fit: 'fill' })
  await writeFile(target, await encoded(resized, extension))
  return { width: size.width, height: size.height, path: target, extension }
}

const SAMPLE = 32
const COMPONENTS = 4

const blurhashOf = async (path: string): Promise<string> => {
  const sample = sharp(path, OPTIONS).resize(SAMPLE, SAMPLE, { fit: 'fill' }).toColourspace('srgb').ensureAlpha()
  const pixels = await sample.raw().toBuffer()
  return encode(new Uint8ClampedArray(pixels), SAMPLE, SAMPLE, COMPONENTS, COMPONENTS)
}

/**
 * Makes original, preview and blurhash of the picture at `path`, as files in `folder` (beyond-the-spec 1.1 and 1.2).
 * @throws UnreadableError; the system's error when a file cannot be written; Failure invalid for one outside the limits, broken when no
 * preview could be made of one that was read
 */
export const makeImage = async (path: string, wanted: { contentType: string; purpose: Purpose; folder: string }): Promise<MadeImage> => {
  const picture = await inspect(path, wanted.contentType, wanted.purpose)
  const fault = pictureFault(picture)
  if (fault) throw invalid(fault)
  const original = await makeOriginal(path, picture, wanted.purpose, wanted.folder)
  try {
    const preview = await makePreview(original, wanted.purpose, wanted.folder)
    return { original, preview, blurhash: await blurhashOf((preview ?? original).path) }
  } catch (error) {
    if (isOutage(error)) throw error
    throw new Failure('broken', 'Error processing thumbnail for uploaded media', { cause: error })
  }
}

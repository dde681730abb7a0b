import { LIMITS } from '@rookery/contracts/limits'
import type { Extension } from '../storage/index.ts'

export type Size = { width: number; height: number }

/** The purpose of an upload. */
export type Purpose = 'attachment' | 'avatar' | 'header' | 'emoji' | 'preview' | 'thumbnail'

/** Maximum pixels of an original and of a preview: 3840 × 2160 and 640 × 360, in any aspect ratio. */
const LARGE = 8_294_400
const SMALL = 230_400
/** Maximum pixels of a link preview's picture: 1280 × 720. */
const PREVIEW = 921_600

const AVATAR = { width: 400, height: 400 }
const HEADER = { width: 1500, height: 500 }
const EMOJI = { width: 256, height: 256 }
/** Maximum pixels per side: image libraries hold whole rows, so the area alone is not enough of a limit. */
const MAX_SIDE = 16_384
/** Maximum frames: each frame of an animation costs time, however small it is. */
const MAX_FRAMES = 2000

/** The size of the same aspect ratio with at most this many pixels. */
const withPixels = ({ width, height }: Size, pixels: number): Size => {
  const scale = Math.sqrt(pixels / (width * height))
  if (scale >= 1) return { width, height }
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const within = ({ width, height }: Size, box: Size): Size => {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The size of an upload's original. An avatar is cropped to a square, everything else keeps its aspect ratio. */
export const originalSize = (size: Size, purpose: Purpose): Size => {
  if (purpose === 'avatar') return AVATAR
  if (purpose === 'emoji') return within(size, EMOJI)
  if (purpose === 'preview') return withPixels(size, PREVIEW)
  if (purpose === 'thumbnail') return previewSize(size)
  return purpose === 'header' ? within(size, HEADER) : withPixels(size, LARGE)
}

/** The size of the preview of an original. */
export const previewSize = (size: Size): Size => withPixels(size, SMALL)

/** Maximum bytes of pixels that a decoder holds at once: together with its overhead, its process reaches its limit. */
const MAX_HELD_BYTES = 200_000_000

/** An uploaded picture: its displayed size, its frames, and the bytes its decoder holds at once, if more than a few rows. */
export type Picture = Size & { contentType: string; frames: number; hasAlpha: boolean; heldBytes: number }

/** The fault of a picture outside the limits, for people. */
export const pictureFault = ({ width, height, frames, heldBytes }: Picture): string | undefined => {
  if (Math.max(width, height) > MAX_SIDE || width * height > LIMITS.media.imagePixels) {
    return `File is too large: ${width}x${height} images are not supported`
  }
  if (heldBytes > MAX_HELD_BYTES) return 'File is too large: it takes too much memory to process'
  if (frames === 1) return undefined
  if (width * height > LIMITS.media.animationPixels) return `File is too large: ${width}x${height} GIF files are not supported`
  return frames > MAX_FRAMES || width * height * frames > LIMITS.media.imagePixels
    ? `File is too large: ${frames} frames of ${width}x${height} are not supported`
    : undefined
}

/** The format of a written picture: one that every client can show. */
export const extensionOf = ({ contentType, frames, hasAlpha }: Picture): Extension => {
  if (contentType === 'image/jpeg') return 'jpg'
  if (frames > 1) return 'gif'
  if (contentType === 'image/webp') return 'webp'
  if (contentType === 'image/avif' && !hasAlpha) return 'jpg'
  return 'png'
}

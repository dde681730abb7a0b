import type { PictureKind } from '../database/tables/instance.ts'

/** Type and size of a picture, from its header. */
type FoundPicture = { contentType: string; width: number; height: number }

/** Maximum size of a picture, in bytes: it is served unprocessed. */
export const MAX_PICTURE_BYTES = 1024 * 1024

const isPng = (bytes: Buffer) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'

/** Reads the frame header of a JPEG, skipping the markers before it by their lengths (ITU T.81, B.1). */
const jpegOf = (bytes: Buffer): FoundPicture | undefined => {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return undefined
}

/** Reads the canvas size of a WebP, in each of its three formats (RFC 9649). */
const webpOf = (bytes: Buffer): FoundPicture | undefined => {
  const found = (width: number, height: number) => ({ contentType: 'image/webp', width, height })
  switch (bytes.subarray(12, 16).toString('latin1')) {
    case 'VP8X':
      return found(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return found((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8 ':
      return found(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    default:
      return undefined
  }
}

/** The type and size of a picture; undefined for anything but PNG, JPEG or WebP. */
export const pictureIn = (bytes: Buffer): FoundPicture | undefined => {
  if (bytes.length < 32) return undefined
  if (isPng(bytes)) return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegOf(bytes)
  return bytes.subarray(0, 4).toString('latin1') === 'RIFF' ? webpOf(bytes) : undefined
}

const LABELS: Readonly<Record<PictureKind, string>> = { thumbnail: 'Picture', icon: 'Icon' }
const MIN_ICON = 64
const MAX_SIDE = 4096

/** Whether a string is a kind of picture. */
export const isPictureKind = (kind: string): kind is PictureKind => Object.hasOwn(LABELS, kind)

/** Validation errors of a picture, as sentences. */
export const pictureFaults = (kind: PictureKind, bytes: Buffer): string[] => {
  const label = LABELS[kind]
  if (bytes.length > MAX_PICTURE_BYTES) return [`${label} is too large (maximum is 1 MB)`]
  const found = pictureIn(bytes)
  if (!found || found.width === 0 || found.height === 0) return [`${label} is no PNG, JPEG or WebP`]
  const { width, height } = found
  if (Math.max(width, height) > MAX_SIDE) return [`${label} is too large (maximum is ${MAX_SIDE} pixels)`]
  if (kind !== 'icon') return []
  return [
    ...(width === height ? [] : ['Icon must be square']),
    ...(width < MIN_ICON ? [`Icon is too small (minimum is ${MIN_ICON} pixels)`] : []),
  ]
}

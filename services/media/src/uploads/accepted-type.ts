import { LIMITS } from '@rookery/contracts/limits'
import { invalid } from '@rookery/failures'
import { type FoundType, HEIC, type Purpose, typeOfFile } from '../processing/index.ts'
import type { SpooledFile } from './spool.ts'

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

/** Maximum bytes that are received; the limit for pictures is lower. */
export const maxBytes = (purpose: Purpose, { hasMotion }: { hasMotion: boolean }): number =>
  hasMotion && purpose === 'attachment' ? LIMITS.media.motionBytes : MAX_BYTES[purpose]

const sizeName = (bytes: number) => (bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`)

/** Types that are refused for a purpose although pictures of posts may have them. */
const REFUSED_TYPES: Record<Purpose, readonly string[]> = {
  attachment: [],
  avatar: ['image/avif', HEIC],
  header: ['image/avif', HEIC],
  emoji: ['image/avif', 'image/jpeg', HEIC],
  preview: [HEIC],
  thumbnail: [],
}

/** The failure for a file over the limit. */
export const tooLarge = (max: number) => invalid(`File must be less than ${sizeName(max)}`)

/** The type of an upload, if its purpose accepts it. @throws Failure invalid */
export const acceptedType = async (
  file: SpooledFile,
  given: { purpose: Purpose; hasMotion: boolean; readsHeif: boolean },
): Promise<FoundType> => {
  const { purpose, hasMotion, readsHeif } = given
  if (file.size === 0) throw invalid("File can't be blank")
  const found = await typeOfFile(file.path)
  const isPicture = found?.contentType.startsWith('image/')
  const isTaken = found?.contentType === HEIC ? readsHeif : isPicture || hasMotion
  if (!found || !isTaken || REFUSED_TYPES[purpose].includes(found.contentType)) {
    throw invalid('File content type is invalid', 'File is invalid')
  }
  if (isPicture && file.size > MAX_BYTES[purpose]) throw tooLarge(MAX_BYTES[purpose])
  return found
}

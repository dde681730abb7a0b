import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '@rookery/contracts/limits'
import type { Extension } from '../storage/index.ts'

/** The purpose of a remote file. */
export type RemotePurpose = 'original' | 'preview' | 'avatar' | 'header' | 'emoji'

/** A remote file: `domain` is that of the account that shows it, whichever host the file is on. */
export type RemoteFile = { purpose: RemotePurpose; domain: string; url: string }

/** A remote file, and its digest. */
export type NamedRemoteFile = RemoteFile & { digest: string }

/** The variant in a URL: the file, or its still version. */
type Variant = { purpose: RemotePurpose; isStill: boolean }

const PURPOSES = ['original', 'preview', 'avatar', 'header', 'emoji'] as const
/** Whether a purpose may be animated. */
const hasStill = (purpose: RemotePurpose) => purpose !== 'original' && purpose !== 'preview'

const nameOf = ({ purpose, isStill }: Variant): string => (isStill && hasStill(purpose) ? `${purpose}_static` : purpose)

const VARIANTS: ReadonlyMap<string, Variant> = new Map(
  PURPOSES.flatMap((purpose) => [false, true].map((isStill): Variant => ({ purpose, isStill: isStill && hasStill(purpose) }))).map(
    (variant) => [nameOf(variant), variant],
  ),
)

/** Bytes of the signature in a URL: enough not to be guessed. */
const SIGNATURE_BYTES = 16
/** Maximum characters of a remote URL, and of a domain with its port. */
const MAX = { url: 2048, domain: 259 }

/** The signature of a file's URL, which is also the key of its record. */
export const digestOf = (key: Buffer, { purpose, domain, url }: RemoteFile): string =>
  createHmac('sha256', key).update(`${purpose}\n${domain}\n${url}`).digest().subarray(0, SIGNATURE_BYTES).toString('base64url')

/** The local path of a remote file. */
export const pathOf = (key: Buffer, file: RemoteFile, { isStill = false } = {}): string => {
  const variant = nameOf({ purpose: file.purpose, isStill })
  const place = Buffer.from(`${file.domain}\n${file.url}`).toString('base64url')
  return `/media/remote/${variant}/${digestOf(key, file)}/${place}`
}

/** The segments of a path that `pathOf` made. */
export type PathParts = { variant: string; digest: string; place: string }

/** The file of a path; undefined if the signature is wrong. */
export const fileAt = (key: Buffer, { variant, digest, place }: PathParts): (NamedRemoteFile & { isStill: boolean }) | undefined => {
  const found = VARIANTS.get(variant)
  if (!found || place.length > (MAX.url + MAX.domain) * 2) return undefined
  const text = Buffer.from(place, 'base64url').toString()
  const end = text.indexOf('\n')
  const file = { purpose: found.purpose, domain: text.slice(0, Math.max(0, end)), url: text.slice(end + 1) }
  const [given, own] = [Buffer.from(digest), Buffer.from(digestOf(key, file))]
  return given.length === own.length && timingSafeEqual(given, own) ? { ...file, digest, isStill: found.isStill } : undefined
}

/** Whether a file can be fetched at all: an http(s) URL without credentials, and not too long. */
export const isRemoteFile = ({ domain, url }: Pick<RemoteFile, 'domain' | 'url'>): boolean => {
  const parsed = url.length <= MAX.url && domain.length <= MAX.domain && !/\s/.test(domain) ? URL.parse(url) : null
  return (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') && !parsed.username && !parsed.password
}

const MEGABYTE = 1024 * 1024
/** Maximum bytes of a video that is fetched for its preview. */
const MAX_FILM_FOR_PREVIEW = 40 * MEGABYTE

/** Maximum bytes fetched. */
export const maxRemoteBytes = (purpose: RemotePurpose, { hasMotion }: { hasMotion: boolean }): number => {
  if (purpose === 'original') return LIMITS.media.motionBytes
  if (purpose === 'preview') return hasMotion ? MAX_FILM_FOR_PREVIEW : LIMITS.media.imageBytes
  return purpose === 'emoji' ? MEGABYTE : LIMITS.media.profileImageBytes
}

const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/3gpp': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
}

/** The extension of a file that is served unchanged, by its detected type; undefined for a type that is not served. */
export const extensionOfType = (contentType: string): Extension | undefined =>
  Object.hasOwn(EXTENSIONS, contentType) ? EXTENSIONS[contentType] : undefined

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Consecutive failures after which a host is paused. */
const PATIENCE = 3

const doubled = (first: number, times: number, most: number) => Math.min(most, first * 2 ** Math.min(times, 20))

/** How long a failed file is not retried, in milliseconds, by the number of failures. */
export const retryDelayOfFile = (failures: number): number => doubled(10 * MINUTE, failures - 1, DAY)

/** How long a host is paused, in milliseconds, by the number of consecutive failures; 0 for not at all. */
export const pauseOfHost = (failures: number): number => (failures < PATIENCE ? 0 : doubled(MINUTE, failures - PATIENCE, 6 * HOUR))

/** The start of the hour of a time, in milliseconds since 1970. */
export const hourOf = (now: number): number => now - (now % HOUR)

/** Whether the time of the last request must be updated: a precision of a day suffices. */
export const isLongAsked = (askedAt: Date, now: number): boolean => askedAt.getTime() < now - DAY

/** The time of the last request before which files are deleted. */
export const prunedBefore = (now: number, days: number): Date => new Date(now - days * DAY)

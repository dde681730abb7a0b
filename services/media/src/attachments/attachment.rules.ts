import { LIMITS } from '@rookery/contracts/limits'
import type { Focus } from '@rookery/contracts/statuses'
import type { AttachmentRow } from '../database/tables/attachment.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** TTL of an unattached file (beyond-the-spec 1.2), in milliseconds. */
const UNCLAIMED_LIVES = DAY
/** How long a claim excludes others before its status is confirmed, in milliseconds; after that the status was never written. */
const CLAIM_HOLDS = HOUR
/** TTL of a file with such a claim, in milliseconds. Longer than an outage of the bus, which may delay the confirmation. */
const UNCONFIRMED_LIVES = 7 * DAY

/** TTL of a thumbnail, in milliseconds: its attachment takes it in the same request. */
const THUMBNAIL_LIVES = HOUR

const graphemes = new Intl.Segmenter()

const isLongerThan = (text: string, max: number): boolean => {
  if (text.length <= max) return false
  let count = 0
  for (const _ of graphemes.segment(text)) if (++count > max) return true
  return false
}

const isWithinPicture = (at: number) => at >= -1 && at <= 1

/** The faults of a description (in grapheme clusters) or focal point (spec, Other constants 5; beyond-the-spec 1.2). */
export const faultsOf = (given: { description?: string | undefined; focus?: Focus | undefined }): string[] => {
  const max = LIMITS.media.descriptionLength
  const faults: string[] = []
  if (isLongerThan(given.description ?? '', max)) faults.push(`Description is too long (maximum is ${max} characters)`)
  if (given.focus && !(isWithinPicture(given.focus.x) && isWithinPicture(given.focus.y))) faults.push('Focus must be between -1.0 and 1.0')
  return faults
}

/** When an unattached file is deleted. */
export const unclaimedExpiry = (now: number): Date => new Date(now + UNCLAIMED_LIVES)

/** When an upload that is not used is deleted. */
export const expiryOfUpload = (purpose: AttachmentRow['purpose'], now: number): Date =>
  purpose === 'thumbnail' ? new Date(now + THUMBNAIL_LIVES) : unclaimedExpiry(now)

/** All events about subjects that ended before this time have arrived. */
export const endedBefore = (now: number): Date => new Date(now - UNCONFIRMED_LIVES)

/** When claimed files are deleted unless their subject is confirmed. Emojis need no confirmation: operators import them for good. */
export const claimedExpiry = (rows: readonly AttachmentRow[], now: number): Date | null =>
  rows.every(({ purpose }) => purpose === 'emoji') ? null : new Date(now + UNCONFIRMED_LIVES)

/** Whether a subject may claim a file: no other subject has it, or the claiming one never existed. */
export const mayClaim = (row: AttachmentRow, subjectId: string, now: number): boolean => {
  if (row.subjectId === null || row.subjectId === subjectId) return true
  const isConfirmed = row.expiresAt === null
  return !isConfirmed && (row.claimedAt?.getTime() ?? 0) < now - CLAIM_HOLDS
}

/** Whether a file is attached, or may soon be. */
export const isInUse = (row: AttachmentRow, now: number): boolean => !mayClaim(row, '', now)

const PLAYERS: readonly string[] = ['video', 'audio'] satisfies AttachmentRow['type'][]

/** Whether files of these types may be attached together: a video or audio file must be alone (beyond-the-spec 1.10, Media). */
export const mayStandTogether = (types: readonly string[]): boolean => types.length < 2 || !types.some((type) => PLAYERS.includes(type))

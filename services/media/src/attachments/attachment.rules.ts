import { LIMITS } from '@rookery/contracts/limits'
import type { Focus } from '@rookery/contracts/statuses'
import type { AttachmentRow } from '../database/tables/attachment.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long a file lives that nothing shows (beyond-the-spec 1.2), in milliseconds. */
const UNCLAIMED_LIVES = DAY
/** How long a claim keeps others away without a sign of the status it was made for: the status was never written. */
const CLAIM_HOLDS = HOUR
/** How long a file lives after such a claim. Longer than the bus can be away, since the sign may be on its way. */
const UNCONFIRMED_LIVES = 7 * DAY

/** A thumbnail is taken by its attachment in the request that brought it. */
const THUMBNAIL_LIVES = HOUR

const graphemes = new Intl.Segmenter()

const isLongerThan = (text: string, max: number): boolean => {
  if (text.length <= max) return false
  let count = 0
  for (const _ of graphemes.segment(text)) if (++count > max) return true
  return false
}

const isWithinPicture = (at: number) => at >= -1 && at <= 1

/** What is wrong with a description (in grapheme clusters) or focal point (spec, Other constants 5; beyond-the-spec 1.2). */
export const faultsOf = (given: { description?: string | undefined; focus?: Focus | undefined }): string[] => {
  const max = LIMITS.media.descriptionLength
  const faults: string[] = []
  if (isLongerThan(given.description ?? '', max)) faults.push(`Description is too long (maximum is ${max} characters)`)
  if (given.focus && !(isWithinPicture(given.focus.x) && isWithinPicture(given.focus.y))) faults.push('Focus must be between -1.0 and 1.0')
  return faults
}

/** When a file that nothing shows is deleted. */
export const unclaimedExpiry = (now: number): Date => new Date(now + UNCLAIMED_LIVES)

/** When an upload is deleted that nothing takes. */
export const expiryOfUpload = (purpose: AttachmentRow['purpose'], now: number): Date =>
  purpose === 'thumbnail' ? new Date(now + THUMBNAIL_LIVES) : unclaimedExpiry(now)

/** Events about what was gone before this moment have come. */
export const endedBefore = (now: number): Date => new Date(now - UNCONFIRMED_LIVES)

/** When claimed files are deleted unless what they were claimed for is heard of. Emojis need no sign: operators import them for good. */
export const claimedExpiry = (rows: readonly AttachmentRow[], now: number): Date | null =>
  rows.every(({ purpose }) => purpose === 'emoji') ? null : new Date(now + UNCONFIRMED_LIVES)

/** Whether a subject may have a file: no other has it, or the claiming subject never existed. */
export const mayClaim = (row: AttachmentRow, subjectId: string, now: number): boolean => {
  if (row.subjectId === null || row.subjectId === subjectId) return true
  const isConfirmed = row.expiresAt === null
  return !isConfirmed && (row.claimedAt?.getTime() ?? 0) < now - CLAIM_HOLDS
}

/** Whether something shows a file, or may soon. */
export const isHeld = (row: AttachmentRow, now: number): boolean => !mayClaim(row, '', now)

const PLAYERS: readonly AttachmentRow['type'][] = ['video', 'audio']

/** Whether files may be shown together: a film or a recording is shown alone (beyond-the-spec 1.10, Media). */
export const mayStandTogether = (rows: readonly AttachmentRow[]): boolean =>
  rows.length < 2 || !rows.some(({ type }) => PLAYERS.includes(type))

import { Visibility } from '@rookery/contracts/statuses'

/** Whether a status may be boosted: what everybody may see by anybody, a private one by its author (beyond-the-spec 1.11). */
export const mayBoost = (original: { visibility: number; author_id: string }, boosterId: string): boolean =>
  original.visibility === Visibility.PUBLIC ||
  original.visibility === Visibility.UNLISTED ||
  (original.visibility === Visibility.PRIVATE && original.author_id === boosterId)

/** Who sees a boost: as asked, else by preference, never more than the original's audience when that is private. */
export const boostVisibility = (asked: Visibility, original: number, preference: Visibility): Visibility =>
  original === Visibility.PRIVATE ? Visibility.PRIVATE : asked || preference

import { Visibility } from '@rookery/contracts/statuses'
import { isOpen, isPrivate } from '../../audience/index.ts'

/** Whether a status may be boosted: what everyone may see by anyone, a private one by its author (beyond-the-spec 1.11). */
export const mayBoost = (original: { visibility: number; authorId: string }, boosterId: string): boolean =>
  isOpen(original.visibility) || (isPrivate(original.visibility) && original.authorId === boosterId)

/** Who sees a boost: as asked, else by preference, never more than the original's audience when that is private. */
export const boostVisibility = (asked: Visibility, original: number, preference: Visibility): Visibility =>
  isPrivate(original) ? Visibility.PRIVATE : asked || preference

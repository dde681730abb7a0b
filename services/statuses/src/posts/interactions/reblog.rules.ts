import { Visibility } from '@rookery/contracts/statuses'
import { isOpen, isPrivate } from '../../audience/index.ts'

/** Whether a status may be boosted: public and unlisted ones by anyone, a private one by its author (beyond-the-spec 1.11). */
export const mayBoost = (original: { visibility: number; authorId: string }, boosterId: string): boolean =>
  isOpen(original.visibility) || (isPrivate(original.visibility) && original.authorId === boosterId)

/** The visibility of a boost: as requested, else the booster's default; private if the original is. */
export const boostVisibility = (asked: Visibility, original: number, preference: Visibility): Visibility =>
  isPrivate(original) ? Visibility.PRIVATE : asked || preference

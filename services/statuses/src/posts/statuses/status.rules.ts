import { LIMITS } from '@rookery/contracts/limits'
import { Visibility } from '@rookery/contracts/statuses'
import { countCharacters } from '@rookery/markup'
import { isPublic } from '../../audience/index.ts'

/**
 * The trimmed text and warning of a status: a warning without text becomes the text (beyond-the-spec 1.9), unless the status has a quote, to which it
 * applies.
 */
export const wording = (typed: { text: string; spoilerText: string }, isQuote: boolean): { text: string; spoilerText: string } => {
  const text = typed.text.trim()
  const spoilerText = typed.spoilerText.trim()
  return text === '' && !isQuote ? { text: spoilerText, spoilerText: '' } : { text, spoilerText }
}

/** Whether a requested status quotes another. */
export const quotesAnother = ({ quotedStatusId }: { quotedStatusId?: string | undefined }): boolean => Boolean(quotedStatusId)

/** Whether a status is sensitive: as requested, else by the author's default, and always with a warning (beyond-the-spec 1.10). */
export const isSensitive = (asked: { sensitive?: boolean | undefined; spoilerText: string }, preference: boolean): boolean =>
  (asked.sensitive ?? preference) || asked.spoilerText.trim() !== ''

/** The faults of a text, in the contract's words; it may be empty if the status shows something else (beyond-the-spec 1.4). */
export const textFaults = ({ text, spoilerText }: { text: string; spoilerText: string }, showsMore: boolean): string[] => {
  if (text === '' && !showsMore) return ["Text can't be blank"]
  const { maxCharacters } = LIMITS.statuses
  const isTooLong = countCharacters(text) + countCharacters(spoilerText) > maxCharacters
  return isTooLong ? [`Text character limit of ${maxCharacters} exceeded`] : []
}

/** The visibility of a status for which none was requested (beyond-the-spec 1.10, Defaults). */
export const defaultVisibility = (author: { locked: boolean; defaultPrivacy: number | null }): Visibility =>
  (author.defaultPrivacy as Visibility | null) ?? (author.locked ? Visibility.PRIVATE : Visibility.PUBLIC)

/** The final visibility: a silenced author's public post becomes unlisted (beyond-the-spec 1.10, Silenced author). */
export const postedVisibility = (asked: Visibility, isAuthorSilenced: boolean): Visibility =>
  isAuthorSilenced && asked === Visibility.PUBLIC ? Visibility.UNLISTED : asked

/** Whether public timelines show a status (beyond-the-spec 1.12, Public/tag). */
export const isListed = (visibility: Visibility, isReplyToOther: boolean): boolean => isPublic(visibility) && !isReplyToOther

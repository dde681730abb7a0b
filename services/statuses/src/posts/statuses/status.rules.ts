import { LIMITS } from '@rookery/contracts/limits'
import { Visibility } from '@rookery/contracts/statuses'
import { countCharacters } from '@rookery/markup'
import { isPublic } from '../../audience/index.ts'

/**
 * What a person wants to say, without white space around it: a warning without text is the text (beyond-the-spec 1.9), unless it warns of
 * what the status quotes.
 */
export const wording = (typed: { text: string; spoilerText: string }, isQuote: boolean): { text: string; spoilerText: string } => {
  const text = typed.text.trim()
  const spoilerText = typed.spoilerText.trim()
  return text === '' && !isQuote ? { text: spoilerText, spoilerText: '' } : { text, spoilerText }
}

/** Whether a status is asked for that quotes another. */
export const quotesAnother = ({ quotedStatusId }: { quotedStatusId?: string | undefined }): boolean => Boolean(quotedStatusId)

/** Whether a status is marked as sensitive: as asked, else by preference, and whenever a warning was typed (beyond-the-spec 1.10). */
export const isSensitive = (asked: { sensitive?: boolean | undefined; spoilerText: string }, preference: boolean): boolean =>
  (asked.sensitive ?? preference) || asked.spoilerText.trim() !== ''

/** What is wrong with the text of a status that shows something besides, or does not, in the contract's words (beyond-the-spec 1.4). */
export const textFaults = ({ text, spoilerText }: { text: string; spoilerText: string }, showsMore: boolean): string[] => {
  if (text === '' && !showsMore) return ["Text can't be blank"]
  const { maxCharacters } = LIMITS.statuses
  const isTooLong = countCharacters(text) + countCharacters(spoilerText) > maxCharacters
  return isTooLong ? [`Text character limit of ${maxCharacters} exceeded`] : []
}

/** Who sees a status whose author did not say (beyond-the-spec 1.10, Defaults). */
export const defaultVisibility = (author: { locked: boolean; defaultPrivacy: number | null }): Visibility =>
  (author.defaultPrivacy as Visibility | null) ?? (author.locked ? Visibility.PRIVATE : Visibility.PUBLIC)

/** Who sees what someone posts: a silenced author's public post is unlisted (beyond-the-spec 1.10, Silenced author). */
export const postedVisibility = (asked: Visibility, isAuthorSilenced: boolean): Visibility =>
  isAuthorSilenced && asked === Visibility.PUBLIC ? Visibility.UNLISTED : asked

/** Whether public timelines show it (beyond-the-spec 1.12, Public/tag). */
export const isListed = (visibility: Visibility, isReplyToOther: boolean): boolean => isPublic(visibility) && !isReplyToOther

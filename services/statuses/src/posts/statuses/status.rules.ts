import { LIMITS } from '@rookery/contracts/limits'
import { Visibility } from '@rookery/contracts/statuses'
import { countCharacters } from '@rookery/markup'
import { isPublic } from '../../audience/index.ts'

/** What a person wants to say, without white space around it: a warning without text is the text (beyond-the-spec 1.9). */
export const wording = (typed: { text: string; spoilerText: string }): { text: string; spoilerText: string } => {
  const text = typed.text.trim()
  const spoilerText = typed.spoilerText.trim()
  return text === '' ? { text: spoilerText, spoilerText: '' } : { text, spoilerText }
}

/** Whether a status is marked as sensitive: as asked, else by preference, and whenever a warning was typed (beyond-the-spec 1.10). */
export const isSensitive = (asked: { sensitive?: boolean | undefined; spoilerText: string }, preference: boolean): boolean =>
  (asked.sensitive ?? preference) || asked.spoilerText.trim() !== ''

/** What is wrong with a text, in the contract's words (beyond-the-spec 1.4). */
export const textFaults = ({ text, spoilerText }: { text: string; spoilerText: string }, mediaCount: number): string[] => {
  if (text === '' && mediaCount === 0) return ["Text can't be blank"]
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

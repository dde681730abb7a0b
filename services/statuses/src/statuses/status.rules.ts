import { LIMITS } from '@rookery/contracts/limits'
import { Visibility } from '@rookery/contracts/statuses'
import { countCharacters } from '@rookery/markup'

/** What a person wants to say, after the rule that a warning without text is the text (beyond-the-spec 1.9). */
export const wording = (text: string, spoilerText: string): { text: string; spoilerText: string } =>
  text.trim() === '' && spoilerText.trim() !== '' ? { text: spoilerText, spoilerText: '' } : { text, spoilerText }

/** What is wrong with a text, in the contract's words (beyond-the-spec 1.4). */
export const textFaults = (text: string, spoilerText: string, mediaCount: number): string[] => {
  if (text.trim() === '' && mediaCount === 0) return ["Text can't be blank"]
  const { maxCharacters } = LIMITS.statuses
  const isTooLong = countCharacters(text) + countCharacters(spoilerText) > maxCharacters
  return isTooLong ? [`Text character limit of ${maxCharacters} exceeded`] : []
}

/** Who sees a status whose author did not say (beyond-the-spec 1.10, Defaults). */
export const defaultVisibility = (author: { locked: boolean; defaultPrivacy: number | null }): Visibility =>
  (author.defaultPrivacy as Visibility | null) ?? (author.locked ? Visibility.PRIVATE : Visibility.PUBLIC)

/** Whether public timelines show it (beyond-the-spec 1.12, Public/tag). */
export const isListed = (visibility: Visibility, isReplyToOther: boolean): boolean => visibility === Visibility.PUBLIC && !isReplyToOther

/** A language code as typed, or undefined when it is none (ISO 639, optionally with a region). */
export const languageCode = (typed: string): string | undefined => (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(typed) ? typed : undefined)

export { addressedBy, isAddress } from './address.rules.ts'
export { chooseLanguage } from './choose-language.ts'
export { localMentions, type MentionFinder, mentionFinder } from './find-mentions.ts'
export { languageCode } from './language-code.ts'

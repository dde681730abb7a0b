export { localMentions, type MentionFinder, mentionFinder } from './find-mentions.ts'

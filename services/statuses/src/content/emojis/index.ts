export { emojiMessage } from './emoji.message.ts'
export { emojisIn, isShortcode } from './emoji.rules.ts'
export { type EmojiFinder, emojiFinder } from './find-emojis.ts'
export { namedEmoji } from './named-emoji.ts'

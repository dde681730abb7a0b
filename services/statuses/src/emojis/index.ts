export { emojiMessage } from './emoji.message.ts'
export type { StoredEmoji } from './emoji.tables.ts'
export { createEmojiOperatorRpc, createEmojisRpc } from './emojis.rpc.ts'
export { type EmojiFinder, emojiFinder } from './find-emojis.ts'

export { createEmojiOperatorRpc, createEmojisRpc } from './emojis.rpc.ts'

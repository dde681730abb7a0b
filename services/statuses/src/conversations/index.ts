export { keepConversations } from './conversations.consumer.ts'
export { createConversationsRpc } from './conversations.rpc.ts'

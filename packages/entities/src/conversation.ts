import type { Conversation, ConversationPage } from '@rookery/contracts/statuses'
import { jsonList, type Renderer } from './renderer.ts'

const NULL = Buffer.from('null')

/** Conversation (spec, Resources) from the JSON of its accounts and of its last status, which may be gone. */
const conversationJson = ({ id, isUnread }: Conversation, accounts: readonly Buffer[], lastStatus: Buffer | undefined): Buffer =>
  Buffer.concat([
    Buffer.from(`{"id":"${id}","unread":${isUnread},"accounts":`),
    jsonList(accounts),
    Buffer.from(',"last_status":'),
    lastStatus ?? NULL,
    Buffer.from('}'),
  ])

/** The conversations of a page as JSON, in order. */
export const conversationsJson = ({ conversations, views }: ConversationPage, renderer: Renderer): Buffer[] => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const statuses = views && renderer.statusesById(views)
  return conversations.map((conversation) =>
    conversationJson(
      conversation,
      conversation.accountIds.flatMap((id) => accounts.get(id) ?? []).map(renderer.account),
      statuses?.get(conversation.lastStatusId),
    ),
  )
}

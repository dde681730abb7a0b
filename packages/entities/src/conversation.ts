import type { Conversation, ConversationPage } from '@rookery/contracts/statuses'
import { jsonList, type Renderer } from './renderer.ts'

/** Conversation (spec, Resources) from the JSON of its accounts and of its last status. */
const conversationJson = ({ id, isUnread }: Conversation, accounts: readonly Buffer[], lastStatus: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`{"id":"${id}","unread":${isUnread},"accounts":`),
    jsonList(accounts),
    Buffer.from(',"last_status":'),
    lastStatus,
    Buffer.from('}'),
  ])

/** The conversations of a page as JSON, in order; those without their last status are left out. */
export const conversationsJson = ({ conversations, views }: ConversationPage, renderer: Renderer): Buffer[] => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const statuses = views && renderer.statusesById(views)
  return conversations.flatMap((conversation) => {
    const lastStatus = statuses?.get(conversation.lastStatusId)
    if (!lastStatus) return []
    const shown = conversation.accountIds.flatMap((id) => accounts.get(id) ?? [])
    return [conversationJson(conversation, shown.map(renderer.account), lastStatus)]
  })
}

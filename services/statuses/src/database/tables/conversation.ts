import type { Generated } from 'kysely'

export type ConversationTable = {
  id: Generated<string>
  ownerId: string
  threadId: string
  participants: string[]
  lastStatusId: string
  isUnread: boolean
  isHidden: Generated<boolean>
}

export type ConversationStatusTable = { conversationId: string; statusId: string }
